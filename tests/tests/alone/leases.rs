//! A program that holds a lease on a file that a bot needs makes others wait for it. No bot is charged for
//! that, also where nothing keeps bots from leases.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};

use tests::bench::Bench;
use tests::keeping::Keeping;
use tests::{log, missing};

/// Takes a lease on a file as often as it is told, and gives it up a while after the file is asked for,
/// later than an answer may come.
const HOLDER: &str = "
import fcntl, os, select, signal, sys, time
path, times = sys.argv[1], int(sys.argv[2])
reader, writer = os.pipe()
os.set_blocking(writer, False)
signal.signal(signal.SIGIO, lambda *_: None)
signal.set_wakeup_fd(writer)
for _ in range(times):
    file = os.open(path, os.O_RDONLY)
    while True:
        try:
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
            break
        except BlockingIOError:
            time.sleep(0.001)
        except OSError as error:
            print('none', error, flush=True)
            sys.exit()
    print('held', flush=True)
    select.select([reader], [], [])
    os.read(reader, 100)
    time.sleep(1.5)
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    os.close(file)
    print('given up', flush=True)
";

/// A process that holds leases.
struct Holder {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Drop for Holder {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Holder {
    /// Takes a lease on this program; `None` if there can be none.
    fn new(bench: &Bench, program: &str, times: u32) -> Option<Holder> {
        let mut command = Command::new("python3");
        command.args(["-c", HOLDER]).arg(bench.path(program)).arg(times.to_string());
        let Ok(mut child) = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn() else {
            missing::tell("there is no python3 here to hold a lease");
            return None;
        };
        let said = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut holder = Holder { child, said };
        let mut line = String::new();
        holder.said.read_line(&mut line).expect("it says so");
        if line != "held\n" {
            missing::tell("no lease can be had on a file here");
            return None;
        }
        Some(holder)
    }

    /// Number of times that the file was asked for.
    fn times(mut self) -> usize {
        let _ = self.child.kill();
        let mut said = String::new();
        self.said.read_to_string(&mut said).expect("text");
        said.matches("given up").count()
    }
}

#[test]
fn a_lease_of_another_program_charges_no_bot() {
    // While it waits, a bot of any other match that is late is late for no fault of its own.
    let _turn = crate::turn();
    for keeping in Keeping::ALL {
        charges_no_bot(keeping);
    }
}

fn charges_no_bot(keeping: Keeping) {
    let bench = Bench::new();
    if !keeping.can_be_had(&bench) {
        return;
    }
    fs::create_dir(bench.path("other")).expect("a folder");
    let is_resident = keeping == Keeping::Portable;
    let program = if is_resident { "random" } else { "faulty" };
    let place = format!("other/{program}");
    bench.copy(&bench.program(program), &place);
    // Once for the digest, once for the start before the first game, and in the games.
    let Some(holder) = Holder::new(&bench, &place, 4) else { return };
    let path = bench.path(&place);
    let bot = match is_resident {
        true => format!("other=resident:'{}'", path.display()),
        false => format!("other='{}' ok {}", path.display(), bench.marker()),
    };
    let limits = ["--games", "1", "--time-limit", "1s", "--log", "log", "--quiet"];
    let words = [&["match", "--game", "coup"], &limits[..], keeping.words(), &[&bot, "random"]];
    bench.succeed(words.concat());
    for game in log::games(&bench.path("log")) {
        assert_eq!(game["result"]["ending"], "played", "{keeping}: {game}");
    }
    assert!(holder.times() > 2, "{keeping}: no game waited for the lease");
}
