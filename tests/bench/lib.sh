# What the benchmark scripts share; sourced by them. Expects $build; sets $failed to 1 when a limit is missed.
failed=0

# Best of five, in seconds: the least disturbed run.
best() { "$build/bin/heddle_bench_time" "${BENCH_RUNS:-5}" "$@"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
# report NAME VALUE LIMIT UNIT
report() {
    local verdict=ok
    if awk -v a="$2" -v b="$3" 'BEGIN { exit !(a > b) }'; then verdict=MISSED; failed=1; fi
    printf '%-58s %8s %-3s (limit %s) %s\n' "$1" "$2" "$4" "$3" "$verdict"
}
# at_least NAME VALUE LIMIT UNIT
at_least() {
    local verdict=ok
    if awk -v a="$2" -v b="$3" 'BEGIN { exit !(a < b) }'; then verdict=MISSED; failed=1; fi
    printf '%-58s %8s %-3s (at least %s) %s\n' "$1" "$2" "$4" "$3" "$verdict"
}
