<?php
class Query
{
    private array $parts = [];
    private string $table = '';

    public function from(string $table): self
    {
        $this->table = $table;
        return $this;
    }

    public function where(string $column, $value): self
    {
        $this->parts[] = [$column, $value];
        return $this;
    }

    public function limit(int $count)
    {
        $this->limit = intdiv(100, $count);
        return $this;
    }

    public function sql(): string
    {
        $conditions = array_map(fn($part) => "$part[0] = $part[1]", $this->parts);
        return "SELECT * FROM {$this->table} WHERE " . implode(' AND ', $conditions);
    }
}

$names = ['ada', 'bob'];
foreach ($names as $name) {
    echo strtoupper($name), "\n";
}
echo (new Query)->from('users')->where('name', 'ada')->limit(0)->sql(), "\n";
