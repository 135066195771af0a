#!/usr/bin/perl
# Merges the stock lists of several warehouses and prints what has to be ordered.
use strict;
use warnings;

package Item;

sub new {
    my ($class, %fields) = @_;
    my $self = { name => $fields{name}, count => $fields{count} // 0, price => $fields{price} };
    return bless $self, $class;
}

sub name  { return $_[0]{name} }
sub count { return $_[0]{count} }
sub price { return $_[0]{price} }

sub add {
    my ($self, $other) = @_;
    $self->{count} += $other->count;
    $self->{price} = $other->price if defined $other->price && $other->price < $self->price;
    return $self;
}

sub to_string {
    my ($self) = @_;
    return sprintf "%-18s %5d  %8.2f", $self->name, $self->count, $self->price;
}

package Warehouse;

sub new {
    my ($class, $town) = @_;
    return bless { town => $town, items => {}, closed => 0 }, $class;
}

sub town { return $_[0]{town} }

sub put {
    my ($self, $item) = @_;
    if (my $known = $self->{items}{ $item->name }) {
        $known->add($item);
    }
    else {
        $self->{items}{ $item->name } = $item;
    }
    return $self;
}

sub find {
    my ($self, $name) = @_;
    return $self->{items}{$name};
}

sub names {
    my ($self) = @_;
    return sort keys %{ $self->{items} };
}

sub merge {
    my ($self, @others) = @_;
    my %seen;
    for my $other (@others) {
        for my $name ($other->names) {
            $seen{$name}++;
            $self->put($other->find($name)) unless $seen{$name} > 3;
        }
    }
    return \%seen;
}

package main;

my @LISTS = (
    [ 'Bremen', <<'LIST' ],
# name; count; price
bolt M8;     400; 0.12
washer M8;  1000; 0.02
hinge;        35; 3.40
door handle;  12; 14.90
LIST
    [ 'Leipzig', <<'LIST' ],
bolt M8;     150; 0.11
screw 4x40; 2500; 0.03
hinge;        10; 3.55
window seal;  80; 2.10
LIST
    [ 'Ulm', <<'LIST' ],
screw 4x40;  900; 0.04
paint white;  20; 11.00
paint blue;    4; 12.50
LIST
);

my %MINIMUM = (
    'bolt M8'     => 500,
    'washer M8'   => 1500,
    'hinge'       => 30,
    'screw 4x40'  => 3000,
    'paint blue'  => 10,
    'paint green' => 5,
    'window seal' => 60,
);

sub trim {
    my ($text) = @_;
    $text =~ s/^\s+//;
    $text =~ s/\s+$//;
    return $text;
}

sub parse {
    my ($town, $list) = @_;
    my $warehouse = Warehouse->new($town);
    my $number = 0;
    for my $line (split /\n/, $list) {
        $number++;
        next if $line =~ /^\s*(#|$)/;
        my ($name, $count, $price) = map { trim($_) } split /;/, $line;
        unless (defined $price && $price =~ /^\d+(\.\d+)?$/) {
            warn "$town, line $number: no price\n";
            next;
        }
        $warehouse->put(Item->new(name => $name, count => $count, price => $price));
    }
    return $warehouse;
}

sub total {
    my ($warehouse) = @_;
    my $sum = 0;
    $sum += $_->count * $_->price for map { $warehouse->find($_) } $warehouse->names;
    return $sum;
}

sub orders {
    my ($warehouse, $minimum) = @_;
    my @orders;
    for my $name (sort keys %$minimum) {
        my $item = $warehouse->find($name);
        my $lacking = $minimum->{$name} - $item->count;
        push @orders, [ $name, $lacking, $lacking * $item->price ] if $lacking > 0;
    }
    return @orders;
}

my @warehouses = map { parse(@$_) } @LISTS;
for my $warehouse (@warehouses) {
    printf "%-10s %3d items %10.2f\n", $warehouse->town, scalar(my @names = $warehouse->names),
        total($warehouse);
}

my $all = Warehouse->new('all');
my $seen = $all->merge(@warehouses);
print "\nIn more than one town: ", join(', ', grep { $seen->{$_} > 1 } sort keys %$seen), "\n\n";
print $all->find($_)->to_string, "\n" for $all->names;

print "\nTo order:\n";
my $cost = 0;
for my $order (orders($all, \%MINIMUM)) {
    my ($name, $count, $price) = @$order;
    printf "%-18s %5d  %8.2f\n", $name, $count, $price;
    $cost += $price;
}
printf "%-18s %5s  %8.2f\n", 'sum', '', $cost;
