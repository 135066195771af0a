<?php
class Config { const RATE = 3.25; const NAME = 'x'; static $k = 4; 
  public static function rate() { return self::RATE; } }
class Shop { 
  private $total = 0;
  const FACTOR = -1;
  function add(float $v): static { $this->total += $v * static::FACTOR; return $this; }
  function show() { echo "got ", $this->total; }
}
(new Shop)->add(Config::rate())->show();
