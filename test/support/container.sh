#!/bin/sh
# Runs a program as the image would: process 1 of its own processes, in a root that holds the system's programs and /app, all of it
# read-only but /app/data and /tmp, as user 1000 without any capability. Needs root; run it with
#   unshare --mount --pid --fork --kill-child sh container.sh <root> <app> <node> <program> …
# where <root> is an empty folder.
set -eu
root=$1 app=$2 node=$3
shift 3

mount --make-rprivate /
mount -t tmpfs tmpfs "$root"
for folder in /bin /lib /lib64 /usr /etc; do
  [ -d "$folder" ] || continue
  mkdir "$root$folder"
  mount --bind "$folder" "$root$folder"
  mount -o remount,bind,ro "$root$folder"
done
mkdir "$root/app" "$root/dev" "$root/node" "$root/proc" "$root/tmp"
touch "$root/node/node"
mount --bind "$node" "$root/node/node"
mount --bind "$app" "$root/app"
mount -o remount,bind,ro "$root/app"
mount --bind "$app/data" "$root/app/data"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -o remount,ro "$root"
exec chroot "$root" setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs \
  sh -c 'cd /app && exec "$@"' sh "$@"
