"""`vander doctor`: what is well with the box, what is not, and what helps. Each room looks at one part of it.

    picture     what the camera gives: camera, exposure, focus, light, glare, tray
    house       what was installed and made: program, models, dice
    keeping     what is kept: journal, disk
    box         the machine: power, heat, clock, wiring
    way_in      how tablets come in: address
    examiner    all of it, from inside the running program
    console     all of it, from the command line

A check raises nothing, and changes nothing on the box.
"""
