<?php
declare(strict_types=1);

namespace Shop;

interface Priced
{
    public function price(): int;
}

trait Labelled
{
    protected array $labels = [];

    public function label(string $text): static
    {
        $this->labels[] = \strtolower(\trim($text));
        return $this;
    }

    public function labels(): array
    {
        return \array_values(\array_unique($this->labels));
    }
}

class Product implements Priced
{
    use Labelled;

    public function __construct(public readonly string $name, private int $cents)
    {
    }

    public function price(): int
    {
        return $this->cents;
    }
}

final class Discounted extends Product
{
    public function __construct(string $name, int $cents, private float $rate)
    {
        parent::__construct($name, $cents);
    }

    public function price(): int
    {
        return (int) \round(parent::price() * (1 - $this->rate));
    }
}

class Basket implements \Countable, \IteratorAggregate
{
    /** @var array<string, array{0: Product, 1: int}> */
    private array $lines = [];
    public int $shipping = 490;
    public ?string $voucher = null;

    public function put(Product $product, int $count = 1): self
    {
        $known = $this->lines[$product->name][1] ?? 0;
        $this->lines[$product->name] = [$product, $known + $count];
        return $this;
    }

    public function count(): int
    {
        return \array_sum(\array_column($this->lines, 1));
    }

    public function getIterator(): \Generator
    {
        foreach ($this->lines as $name => [$product, $count]) {
            yield $name => $product->price() * $count;
        }
    }

    public function sum(): int
    {
        return \array_sum(\iterator_to_array($this));
    }
}

abstract class Rule
{
    abstract public function applies(Basket $basket): bool;

    abstract public function apply(Basket $basket): void;

    public static function all(): array
    {
        return [new FreeShipping(5000), new HalfShipping('SPRING'), new HalfShipping('AUTUMN')];
    }
}

final class FreeShipping extends Rule
{
    public function __construct(private int $from)
    {
    }

    public function applies(Basket $basket): bool
    {
        return $basket->sum() >= $this->from;
    }

    public function apply(Basket $basket): void
    {
        $basket->shipping = 0;
    }
}

final class HalfShipping extends Rule
{
    public function __construct(private string $code)
    {
    }

    public function applies(Basket $basket): bool
    {
        return \strcasecmp($basket->voucher ?? '', $this->code) === 0;
    }

    public function apply(Basket $basket): void
    {
        $basket->shipping = $basket->shipping / 4;
    }
}

function receipt(Basket $basket): string
{
    $lines = [];
    foreach ($basket as $name => $cents) {
        $lines[] = \sprintf('%-20s %8.2f', $name, $cents / 100);
    }
    $lines[] = \sprintf('%-20s %8.2f', 'shipping', $basket->shipping / 100);
    $lines[] = \sprintf('%-20s %8.2f', \count($basket) . ' pieces', ($basket->sum() + $basket->shipping) / 100);
    return \implode("\n", $lines) . "\n\n";
}

$lamp = (new Product('desk lamp', 3490))->label('Light ')->label('office')->label('light');
$chair = new Discounted('chair', 12900, 0.15);
$pens = (new Product('pens', 299))->label('office');

$baskets = [
    (new Basket())->put($lamp)->put($pens, 3),
    (new Basket())->put($chair, 2)->put($lamp),
    (new Basket())->put($pens, 5)->put($pens),
];
$baskets[0]->voucher = 'winter';
$baskets[2]->voucher = 'spring';

foreach ($baskets as $number => $basket) {
    foreach (Rule::all() as $rule) {
        if ($rule->applies($basket)) {
            $rule->apply($basket);
        }
    }
    echo 'Basket ', $number + 1, "\n", receipt($basket);
}
echo \implode(', ', $lamp->labels()), "\n";
