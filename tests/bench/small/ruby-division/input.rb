class Query
  attr_reader :parts

  def initialize(table)
    @table = table
    @parts = []
  end

  def where(column, value)
    @parts << [column, value]
    self
  end

  def limit(count)
    @limit = 100 / count
    self
  end

  def to_sql
    conditions = @parts.map { |column, value| "#{column} = #{value}" }
    "SELECT * FROM #{@table} WHERE #{conditions.join(' AND ')}"
  end
end

names = %w[ada bob]
names.each { |name| puts name.upcase }
puts Query.new('users').where('name', 'ada').limit(0).to_sql
