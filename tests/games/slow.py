"""Rules that are slow, and have much to check."""

import sys, time
inputs = 0
for call in sys.stdin:
    call, _, rest = call.strip().partition(" ")
    time.sleep(0.05)
    if call == "about":
        print("rules 1\nname slow\nabout it takes its time\nseats 2\n")
    elif call == "new" or call == "play" and rest in "ab" and inputs < 20:
        inputs = 0 if call == "new" else inputs + 1
        told = [] if call == "new" else [f"event move {rest}"]
        next = [f"turn {inputs % 2}", "move a", "move b", "fallback a"] if inputs < 20 else ["over 1 1"]
        print("\n".join([*told, *next, f"view * inputs {inputs}", ""]))
    else:
        print("refused no\n")
    sys.stdout.flush()
