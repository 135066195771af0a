-- Orders of a shop, with their prices.
local Stack = {}
Stack.__index = Stack

function Stack.new(limit)
  return setmetatable({ items = {}, limit = limit or 10 }, Stack)
end

function Stack:push(value)
  if #self.items >= self.limit then
    error("full")
  end
  table.insert(self.items, value)
  return self
end

function Stack:each(visit)
  for i, value in ipairs(self.items) do
    visit(i, value)
  end
end

local prices = { tea = 3.5, pot = 20 }
local function total(stack)
  local sum = 0
  stack:each(function(_, order)
    sum = sum + prices[order.title] * order.count
  end)
  return sum
end

local orders = Stack.new(4)
orders:push({ title = "tea", count = 2 }):push({ title = "cup", count = 1 })
print(("total: %.2f"):format(total(orders)))
