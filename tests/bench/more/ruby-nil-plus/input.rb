# frozen_string_literal: true

# A small timetable: finds the fastest connection between two stops and prints it.

require "set"

Stop = Struct.new(:name, :zone) do
  def to_s
    "#{name} (#{zone})"
  end
end

class Line
  attr_reader :name, :stops

  def initialize(name, stops, minutes)
    raise ArgumentError, "#{name}: #{stops.size} stops, #{minutes.size} times" if stops.size != minutes.size + 1

    @name = name
    @stops = stops
    @minutes = minutes
  end

  def each_hop
    return enum_for(:each_hop) unless block_given?

    @stops.each_cons(2).with_index do |(from, to), index|
      yield from, to, @minutes[index]
      yield to, from, @minutes[index]
    end
  end

  def length
    @minutes.sum
  end
end

class Network
  CHANGE = 4

  def initialize
    @hops = Hash.new { |hash, key| hash[key] = [] }
    @lines = {}
  end

  def <<(line)
    @lines[line.name] = line
    line.each_hop { |from, to, minutes| @hops[from] << [to, minutes, line.name] }
    self
  end

  def stops
    @hops.keys.sort_by(&:name)
  end

  def find(name)
    stops.find { |stop| stop.name == name } || raise(KeyError, "no stop #{name}")
  end

  def route(from, to)
    best = { [from, nil] => 0 }
    before = {}
    queue = [[0, from, nil]]
    done = Set.new
    until queue.empty?
      minutes, stop, line = queue.min_by(&:first)
      queue.delete([minutes, stop, line])
      next unless done.add?([stop, line])
      return [minutes, path(before, [stop, line])] if stop == to

      @hops[stop].each do |next_stop, hop, name|
        sum = minutes + hop + (line.nil? || line == name ? 0 : CHANGE)
        key = [next_stop, name]
        next if best.key?(key) && best[key] <= sum

        best[key] = sum
        before[key] = [stop, line]
        queue << [sum, next_stop, name]
      end
    end
    nil
  end

  private

  def path(before, key)
    steps = [key]
    steps.unshift(before[steps.first]) while before.key?(steps.first)
    steps
  end
end

class Fares
  TABLE = {
    1 => { single: 170, day: 420 },
    2 => { single: 250, day: 610 },
    3 => { single: 330 },
  }.freeze

  def self.zones(steps)
    steps.map { |stop, _| stop.zone }.uniq.size
  end

  def self.price(steps, kind)
    TABLE.fetch(zones(steps), {})[kind]
  end

  def self.both_ways(steps, kind)
    there = price(steps, kind)
    there + price(steps.reverse, kind)
  end
end

def build
  names = {
    "Harbour" => "A", "Market" => "A", "Theatre" => "A", "Station" => "A", "Park" => "B",
    "Hospital" => "B", "University" => "B", "Mill" => "B", "Airport" => "C", "Lake" => "C"
  }
  stops = names.to_h { |name, zone| [name, Stop.new(name, zone)] }
  pick = ->(*chosen) { chosen.map { |name| stops.fetch(name) } }
  network = Network.new
  network << Line.new("1", pick.call("Harbour", "Market", "Station", "University"), [3, 4, 7])
  network << Line.new("2", pick.call("Theatre", "Market", "Park", "Hospital", "Mill"), [2, 5, 4, 6])
  network << Line.new("5", pick.call("Station", "Park", "Lake"), [3, 11])
  network << Line.new("X", pick.call("Station", "Airport"), [19])
  network
end

def describe(steps)
  steps.chunk_while { |a, b| a[1] == b[1] || a[1].nil? }.map do |part|
    "#{part.last[1]}: #{part.map { |stop, _| stop.name }.join(' - ')}"
  end
end

network = build
journeys = [%w[Harbour Mill single], %w[Theatre University day], %w[Lake Market single], %w[Mill Airport day]]
journeys.each do |from, to, kind|
  minutes, steps = network.route(network.find(from), network.find(to))
  puts "#{from} to #{to}, #{minutes} minutes"
  describe(steps).each { |part| puts "  #{part}" }
  price = Fares.both_ways(steps, kind.to_sym)
  puts format("  %<kind>s, both ways: %<euros>.2f", kind: kind, euros: price / 100.0)
end
