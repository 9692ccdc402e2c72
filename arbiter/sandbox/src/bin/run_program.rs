//! Runs a program for a second at most, kept apart from this machine, and says how it ended:
//! `cargo run -p sandbox -- cat /etc/hostname`. The tests use it as their keeper.

#![forbid(unsafe_code)]

use std::env;
use std::error::Error;
use std::time::Duration;

use sandbox::isolation::Isolation;
use sandbox::{CallInput, Limits, Program, SearchPath, Supervisor, ViewRules};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    // On Linux this program is its own keeper: it is started once more, and serves.
    #[cfg(target_os = "linux")]
    {
        use sandbox::keeper;
        if words == [keeper::SUBCOMMAND] {
            return Ok(keeper::serve()?);
        }
        keeper::announce(&env::current_exe()?);
    }
    let program = Program::resolve(&words, &SearchPath::of_this_process(None)?)?;
    let supervisor = Supervisor::from_env(Isolation::Auto)?;
    let mut supervised = supervisor.supervise(&program, &ViewRules::default());
    let limits = Limits { time: Duration::from_secs(1), ..Limits::default() };
    let observed = supervised.ask(CallInput::Input(b"a line\n"), &limits);
    println!("{:?} after {} ms", observed.end, observed.wall.as_millis());
    print!("{}", String::from_utf8_lossy(&observed.stdout));
    eprint!("{}", String::from_utf8_lossy(&observed.stderr));
    Ok(())
}
