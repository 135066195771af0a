class Query:
    def __init__(self, table):
        self.table = table
        self.parts = []

    def where(self, column, value):
        self.parts.append((column, value))
        return self

    def limit(self, count):
        self.count = 100 // count
        return self

    def sql(self):
        conditions = [f"{column} = {value}" for column, value in self.parts]
        return f"SELECT * FROM {self.table} WHERE " + " AND ".join(conditions)


for name in ["ada", "bob"]:
    print(name.upper())
print(Query("users").where("name", "ada").limit(0).sql())
