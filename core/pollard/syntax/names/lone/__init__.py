"""A part of a program without the rest, with values for what it gets from elsewhere.

Which part fails is a guess, helped by what the output of the failure names. So these functions yield a
few texts, the most probable first, which the oracle judges.

The modules, in reading order:

- `chains`: what begins with a name of the program, such as `self.rates[order.region]`.
- `blocks`: statements inside blocks, and statements with blocks in them.
- `importing`: what opens a program, and its imports.
- `given_names`: the names of variables, parameters and functions.
- `chain_values`: what may take the place of chains.
- `frames`: the smallest test around a statement, or a function that is called.
- `adding`: statements that return a value, or add one to a variable.
- `raised_classes`: the classes of an error that a statement raises.
- `single_statement`: a statement as the program, with values for its names
- `single_statements`: which statements those are, the most probable first
- `kept_variables`: a variable that keeps its name there, since the message has it
- `list_calls`: calls that compare or join the elements of a list, which gets unlike ones
- `failing_lines`: which statements stand in lines that the output names
- `declared_types`: the types of variables, for values of these.
- `lone_expressions`: an expression as the program, where a statement is nothing without its function.

The pass `alone` in `pollard.passes.coupling` imports this room. It imports its parent,
`pollard.syntax.names`, and `pollard.syntax.tree`.
"""
