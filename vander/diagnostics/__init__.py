"""`vander doctor`: check what works on the box, what does not, and say what helps.

    camera_checks        what the camera gives: camera, exposure, and its last picture
    picture_checks       what is wrong with a picture, and where in it: focus, light, glare, tray
    tray_sight           the same for whoever sets up the camera, with markers, zones and dice as they are seen
    installation_checks  what was installed and made: program, models, dice
    storage_checks       journal, disk
    machine_checks       the machine: power, heat, clock, wiring
    network_checks       the address by which tablets find the box
    run_checks           all of them in order
    diagnostics_service  all of them inside the running program, for the page
    support_bundle       one file for support, without secrets (`redaction`)

A check raises nothing and changes nothing on the box.
"""
