"""`vander doctor`: check what works on the box, what does not, and say what helps.

    camera_checks        what the camera gives: camera, exposure, focus, light, glare, tray
    installation_checks  what was installed and made: program, models, dice
    storage_checks       journal, disk
    machine_checks       the machine: power, heat, clock, wiring
    network_checks       the address by which tablets find the box
    run_checks           all of them in order
    diagnostics_service  all of them inside the running program, for the page
    support_bundle       one file for support, without secrets (`redaction`)

A check raises nothing and changes nothing on the box.
"""
