#!/bin/sh
# The first and only program of the kernel: it makes the pins of a Raspberry Pi, asks pytest what is there, and halts.
# From the kernel's command line come PYTHON, SITE (where lgpio lies), CHECKOUT, OUT (a folder to write in), REVISION (what
# board this is, as a Raspberry Pi says it) and CHIPS (how many gpiochips it has; the last is that of the pins).
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t configfs configfs /sys/kernel/config
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /tmp
mount -t hostfs -o "$OUT" none /mnt

pins=/sys/kernel/config/gpio-sim/pins
mkdir "$pins"
number=0
while [ "$number" -lt "$CHIPS" ]; do
    mkdir "$pins/bank$number"
    echo 4 >"$pins/bank$number/num_lines"
    number=$((number + 1))
done
echo 54 >"$pins/bank$((CHIPS - 1))/num_lines"
echo 1 >"$pins/live"

# The kernel of a Raspberry Pi tells its board here, and gpiozero reads it.
{ cat /proc/cpuinfo; echo "Revision : $REVISION"; } >/run/cpuinfo
mount --bind /run/cpuinfo /proc/cpuinfo

cd "$CHECKOUT" || exit 1
{
    uname -sr
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LG_WD=/run PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$SITE" \
        "$PYTHON" -m pytest -p no:cacheprovider -p no:hypothesispytest --color=no --junitxml=/mnt/verdicts.xml \
        bench/box/kernel/inside.py
} >/mnt/told.txt 2>&1
sync
"$PYTHON" -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321FEDC)'
