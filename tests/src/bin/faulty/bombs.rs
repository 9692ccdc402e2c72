//! Modes that take more of the machine than they may. Each takes a bounded part of it for a
//! bounded time, so that it does no harm where nothing stops it.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::setsid;
use rustix::time::{ClockId, clock_gettime};

use crate::LIFETIME;
use crate::bot::{Bot, say, usage};
use crate::others::try_leave_behind;

/// Most processes or threads that will ever be in one scratch folder: more than a referee allows by
/// default, fewer than a machine can bear.
const MOST: u64 = 400;

/// Most memory that is taken, and the size of a piece, in bytes.
const MOST_BYTES: usize = 1 << 30;
const PIECE: usize = 16 << 20;

/// Time for which a bomb that has gone off stays, with all its processes: long enough for a referee
/// to see it.
const LIFE: Duration = Duration::from_secs(20);

pub(crate) fn fork_bomb(bot: &Bot) {
    bot.request();
    as_bomb(bot);
    be_asked_still();
}

pub(crate) fn fork_bomb_setsid(bot: &Bot) {
    bot.request();
    explode(bot, "as-free-bomb");
    be_asked_still();
}

/// Fewer than a referee allows by default.
const WITHIN_LIMIT: usize = 200;

/// The processes are alive when the program ends.
pub(crate) fn start_until_refused(bot: &Bot) {
    bot.request();
    for _ in 0..WITHIN_LIMIT {
        let mut command = std::process::Command::new("/bin/sleep");
        if command.arg("60").spawn().is_err() {
            std::process::exit(3);
        }
    }
}

/// On a busy machine, the last processes come long after they were counted. The program that was
/// asked must not end earlier, or it would only be a bot without an answer.
fn be_asked_still() {
    thread::sleep(LIFETIME);
}

pub(crate) fn as_bomb(bot: &Bot) {
    explode(bot, "as-bomb");
}

pub(crate) fn as_free_bomb(bot: &Bot) {
    let _ = setsid();
    explode(bot, "as-free-bomb");
}

/// Starts processes that do the same, as many as there may be, however long a busy machine takes for
/// it; then stays for a while.
fn explode(bot: &Bot, mode: &str) {
    let begun = Instant::now();
    while begun.elapsed() < LIFETIME - LIFE && is_one_more_allowed() {
        // The system may have no room for another process now, but some later.
        if try_leave_behind(bot, &[mode]).is_err() {
            thread::sleep(Duration::from_millis(5));
        }
    }
    thread::sleep(LIFE);
}

/// Counts this process before it is started, in a file of the scratch folder: whoever adds a byte
/// and then sees too many starts none, so there are never more than allowed.
fn is_one_more_allowed() -> bool {
    let file = OpenOptions::new().create(true).append(true).open("bombs");
    let count = file.and_then(|mut file| {
        // The file stops growing at some time.
        if file.metadata()?.len() <= MOST {
            file.write_all(b"x")?;
        } else {
            return Ok(u64::MAX);
        }
        file.metadata().map(|found| found.len())
    });
    count.is_ok_and(|count| count <= MOST)
}

pub(crate) fn thread_bomb(bot: &Bot) {
    bot.request();
    for _ in 0..MOST {
        let small = thread::Builder::new().stack_size(32 << 10);
        if small.spawn(|| thread::sleep(LIFETIME)).is_err() {
            break;
        }
    }
    thread::sleep(LIFE);
}

/// Takes memory and writes to all of it.
pub(crate) fn allocate(bot: &Bot) {
    bot.request();
    let mut pieces = Vec::new();
    for number in 0..MOST_BYTES / PIECE {
        pieces.push(vec![number as u8 | 1; PIECE]);
    }
    // Keeps the pieces, and keeps the compiler from leaving them away.
    std::hint::black_box(&pieces);
    thread::sleep(LIFE);
}

/// Takes memory in files that no process has mapped.
pub(crate) fn memory_files(bot: &Bot) {
    bot.request();
    let piece = vec![7; PIECE];
    let mut files = Vec::new();
    let begun = Instant::now();
    while files.len() < MOST_BYTES / PIECE && begun.elapsed() < LIFE {
        // A system without memory may refuse some now, and kill this program a moment later.
        match memory_file(&piece) {
            Ok(file) => files.push(file),
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    }
    thread::sleep(LIFE);
}

fn memory_file(content: &[u8]) -> io::Result<File> {
    let mut file = File::from(memfd_create("bomb", MemfdFlags::CLOEXEC)?);
    file.write_all(content)?;
    Ok(file)
}

/// Takes memory in the buffers of sockets.
pub(crate) fn socket_buffers(bot: &Bot) {
    bot.request();
    let piece = vec![7; PIECE];
    let mut pairs = Vec::new();
    while let Ok((mut one, mut other)) = UnixStream::pair() {
        for end in [&mut one, &mut other] {
            // The buffer takes a part of it.
            let _ = end.set_nonblocking(true).and_then(|()| end.write(&piece));
        }
        pairs.push((one, other));
    }
    thread::sleep(LIFE);
}

/// Uses this CPU time, in milliseconds, then answers.
pub(crate) fn work(bot: &Bot) {
    let Some(limit) = bot.words().first().and_then(|word| word.parse().ok()) else {
        usage("`work` expects milliseconds")
    };
    let answer = bot.request().first_legal();
    while cpu_time() < Duration::from_millis(limit) {
        std::hint::spin_loop();
    }
    say(answer + "\n");
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Prints the request to standard error, then answers.
pub(crate) fn echo(bot: &Bot) {
    let _ = io::stderr().write_all(bot.request().text().as_bytes());
    say(bot.answer() + "\n");
}
