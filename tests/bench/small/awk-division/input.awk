#!/usr/bin/awk -f
# Sums the sales of each region and prints a table.
BEGIN {
    FS = ","
    threshold = 100
    split("north south east", regions, " ")
    for (i = 1; i <= 3; i++)
        total[regions[i]] = 0
}

function trim(s) {
    gsub(/^[ \t]+|[ \t]+$/, "", s)
    return s
}

function average(sum, count) {
    return sum / count
}

/^#/ { next }

NF >= 3 {
    region = trim($1)
    total[region] += $3
    number[region]++
    if ($3 > threshold) {
        large++
        printf "large: %s %d\n", $2, $3
    }
}

$2 ~ /^x/ && NF > 1 {
    skipped[NR] = $0
}

END {
    for (region in total) {
        if (region == "")
            continue
        printf "%-10s %8.2f %6.2f\n", region, total[region], average(total[region], number[region])
    }
    while ((getline line < "/nonexistent") > 0)
        print line
    print "large:", large | "cat"
    close("cat")
}
