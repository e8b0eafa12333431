"""Button, lamp and buzzer on the GPIO header, through gpiozero."""
