#!/usr/bin/env tclsh
# A tournament: teams play each other once. Matches are coroutines, so that many can go on at a time; whoever
# looks on gets each point as it is made.

package require Tcl 8.6

namespace eval tournament {
    namespace export run table
    namespace ensemble create

    variable seed 7
    variable points [dict create win 3 draw 1 loss 0]
    variable played {}
    variable active {}
}

oo::class create Team {
    variable name strength scored conceded results

    constructor {aName aStrength} {
        set name $aName
        set strength $aStrength
        set scored 0
        set conceded 0
        set results [dict create win 0 draw 0 loss 0]
    }

    method name {} { return $name }
    method strength {} { return $strength }
    method difference {} { expr {$scored - $conceded} }

    method finish {own other} {
        incr scored $own
        incr conceded $other
        dict incr results [expr {$own > $other ? "win" : $own == $other ? "draw" : "loss"}]
        return [self]
    }

    method points {} {
        set sum 0
        dict for {result count} $results {
            incr sum [expr {$count * [dict get $::tournament::points $result]}]
        }
        return $sum
    }

    method row {} {
        format {%-12s %2d  %3d:%-3d %3d} $name [tcl::mathop::+ {*}[dict values $results]] \
            $scored $conceded [my points]
    }
}

# A small generator of random numbers, the same ones on every machine.
proc tournament::random {limit} {
    variable seed
    set seed [expr {($seed * 1103515245 + 12345) & 0x7fffffff}]
    return [expr {($seed >> 8) % $limit}]
}

proc tournament::pairs {teams} {
    set pairs {}
    while {[llength $teams] > 1} {
        set teams [lassign $teams first]
        foreach other $teams {
            lappend pairs [list $first $other]
        }
    }
    return $pairs
}

# The body of a coroutine: yields after each minute, and finally returns the result.
proc tournament::match {home away} {
    set score [dict create $home 0 $away 0]
    yield [info coroutine]
    for {set minute 1} {$minute <= 90} {incr minute 5} {
        foreach team [list $home $away] {
            if {[random 100] < [$team strength]} {
                dict incr score $team
                yield [list goal $minute [$team name]]
            }
        }
        yield [list minute $minute]
    }
    lassign [dict values $score] left right
    $home finish $left $right
    $away finish $right $left
    return [list end [$home name] $left [$away name] $right]
}

proc tournament::show {event} {
    switch -exact -- [lindex $event 0] {
        goal {
            lassign $event _ minute who
            puts [format {  %2d' %s} $minute $who]
        }
        end {
            lassign $event _ home left away right
            puts "$home $left - $right $away"
        }
        default {}
    }
}

proc tournament::run {teams} {
    variable active
    variable played
    set number 0
    foreach pair [pairs $teams] {
        lappend active [coroutine match[incr number] match {*}$pair]
    }
    while {[llength $active] > 0} {
        set next {}
        foreach match $active {
            set event [$match]
            show $event
            if {[lindex $event 0] eq "end"} {
                lappend played $event
            } else {
                lappend next $match
            }
        }
        set active $next
    }
    return [llength $played]
}

# Compares two teams. Equal teams are told to whoever reads the table, who may let the lot decide.
proc tournament::better {left right} {
    foreach quality {points difference} {
        set order [expr {[$right $quality] - [$left $quality]}]
        if {$order != 0} {
            return $order
        }
    }
    set answer [yield [list equal [$left name] [$right name]]]
    if {$answer ne ""} {
        return $answer
    }
    return [string compare [$left name] [$right name]]
}

# The body of a coroutine: yields the rows of the table, the best team first.
proc tournament::table {teams} {
    yield [list head [format {%-12s %2s  %-7s %3s} team n goals pts]]
    set place 0
    foreach team [lsort -command [namespace code better] $teams] {
        yield [list row [format {%2d. %s} [incr place] [$team row]]]
    }
    return {}
}

proc tournament::print {teams} {
    set item [coroutine rows table $teams]
    while {[llength $item] > 0} {
        lassign $item kind first second
        switch $kind {
            equal {
                set item [rows [expr {[random 2] ? 1 : -1}]]
                continue
            }
            default { puts $first }
        }
        set item [rows]
    }
}

proc main {arguments} {
    set teams {}
    foreach {name strength} {Falken 9 Adler 7 Spatzen 7 Eulen 4} {
        lappend teams [Team new $name $strength]
    }
    if {"-quiet" in $arguments} {
        proc ::tournament::show {event} {}
    } else {
        puts "matches: [tournament run $teams]"
    }
    tournament::print $teams
    foreach team $teams {
        $team destroy
    }
}

main $argv
