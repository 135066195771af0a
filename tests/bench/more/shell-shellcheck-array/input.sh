#!/bin/bash
# Backs up directories to dated archives, keeps the newest ones, and writes a report.
set -euo pipefail
shopt -s nullglob

readonly VERSION=1.4
config=${BACKUP_CONFIG:-/etc/backup.conf}
target=/var/backups
keep=7
verbose=0
removed=0
declare -A sizes=()
declare -a failed=()

usage() {
  cat <<EOF
Usage: ${0##*/} [-c FILE] [-k COUNT] [-t DIR] [-v] NAME...
  -c FILE   configuration, ${config} if not given
  -k COUNT  how many archives to keep of each name
  -t DIR    where the archives go
  -v        say what is done
EOF
}

log() {
  local level=$1
  shift
  if [[ $level != debug || $verbose -gt 0 ]]; then
    printf '%(%F %T)T %-5s %s\n' -1 "$level" "$*" >&2
  fi
}

die() {
  log error "$@"
  exit 1
}

trap 'log error "line $LINENO: exit code $?"' ERR

while getopts ':c:k:t:vh' option; do
  case $option in
    c) config=$OPTARG ;;
    k) keep=$OPTARG ;;
    t) target=$OPTARG ;;
    v) verbose=$((verbose + 1)) ;;
    h) usage; exit 0 ;;
    :) die "-$OPTARG needs a value" ;;
    *) usage >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[[ $keep =~ ^[0-9]+$ ]] || die "not a number: $keep"
(($# > 0)) || { usage >&2; exit 2; }

source_of() {
  local name=$1 line key value
  while IFS= read -r line || [[ -n $line ]]; do
    line=${line%%#*}
    [[ $line == *=* ]] || continue
    key=${line%%=*}
    value=${line#*=}
    if [[ ${key//[[:space:]]/} == "$name" ]]; then
      echo "${value#"${value%%[![:space:]]*}"}"
      return 0
    fi
  done <"$config"
  return 1
}

archive() {
  local name=$1 folder=$2 file
  file="$target/$name-$(date +%Y%m%d-%H%M%S).tar.gz"
  log debug "$folder -> $file"
  if tar --create --gzip --file "$file.part" --directory "$folder" .; then
    mv -- "$file.part" "$file"
    sizes[$name]=$(stat --format=%s -- "$file")
  else
    rm -f -- "$file.part"
    failed+=("$name")
    return 1
  fi
}

prune() {
  local name=$1
  find "$target" -maxdepth 1 -name "$name-*.tar.gz" -printf '%T@ %p\n' | sort -rn | tail -n +$((keep + 1)) |
    while read -r _ file; do
      log debug "remove $file"
      rm -f -- "$file"
      removed=$((removed + 1))
    done
  if ((removed > 0)); then
    log info "$name: removed $removed old archives"
  fi
}

human() {
  local bytes=$1 unit
  for unit in B K M G T; do
    ((bytes < 1024)) && break
    bytes=$((bytes / 1024))
  done
  echo "$bytes$unit"
}

report() {
  local name total=0
  printf 'backup %s on %s\n' "$VERSION" "$(hostname)"
  for name in "${!sizes[@]}"; do
    printf '%-20s %10s\n' "$name" "$(human "${sizes[$name]}")"
    total=$((total + sizes[$name]))
  done
  printf '%-20s %10s\n' sum "$(human "$total")"
  if ((${#failed[@]})); then
    printf 'FAILED: %s\n' "$failed"
  fi
}

mkdir -p -- "$target"
[[ -r $config ]] || die "cannot read $config"
for name in "$@"; do
  folder=$(source_of "$name") || { log warn "$name is not in $config"; failed+=("$name"); continue; }
  [[ -d $folder ]] || die "$name: no directory $folder"
  archive "$name" "$folder" && prune "$name"
done
report | tee "$target/report.txt"
((${#failed[@]} == 0))
