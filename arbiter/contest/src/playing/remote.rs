//! The player's side of a remote bot: a connection for each game to the hub, from which the bot fetches its requests.
//!
//! # Theory of operation
//!
//! The bot runs on the machine of its author. A *hub*, which is part of the server, passes requests on to it and measures
//! the time of its answers. The program that plays the games is another process as a rule, so both speak over a Unix
//! socket: one connection for each game and seat, one line of JSON for each message. A bot can reach neither end.
//!
//! The hub alone judges whether an answer was late and whether the bot was gone, since it alone sees the connection of
//! the bot. If the hub ends, the socket closes, and the answer is void, since the bot is not at fault. The next
//! attempt at the game waits for a new hub.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use bot::launch_target::RemoteEndpoint;
use rules::{Answer, Measurements, Prompt, StopCause, Verdict, VoidCause};
use sandbox::{CancellationCheck, Limits};
use serde::{Deserialize, Serialize};
use text::system_error;

use crate::playing::{Reply, milliseconds};

/// The longest line between a player and a hub, in bytes: a request as text of JSON, and more.
pub const LONGEST_LINE: usize = 8 << 20;

/// The longest wait for a hub that does not run: a server that is restarted takes less.
const HUB_WAIT: Duration = Duration::from_secs(120);

/// The pause between two attempts to reach a hub.
const HUB_PAUSE: Duration = Duration::from_millis(200);

/// The time after which a hub that says nothing has failed.
const HUB_PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum MessageToHub {
    /// A game begins: the first message of a connection.
    Game {
        bot: String,
        /// The time that the game has for lost connections, in milliseconds.
        grace_ms: u64,
        /// The most games in which the bot is asked at once.
        games: u32,
    },
    Ask {
        /// The request, as protocol.md has it.
        request: String,
        /// The time for the answer, in milliseconds.
        ms: u64,
        /// The most bytes of the answer that are of use.
        answer_bytes: usize,
        /// The most bytes of what the bot says beside its answer.
        stderr_bytes: usize,
    },
    /// The verdict on the last answer.
    Verdict { verdict: Verdict, detail: String },
    /// Asks whether the program of a bot is there: the only message of its connection.
    Seen { bot: String },
    /// The game is over, with these points, or void.
    Over {
        /// The points of each seat; none if the game is void.
        points: Option<Vec<String>>,
    },
}

/// A message from a hub to a player: the end of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum MessageFromHub {
    /// The bot has answered in time.
    Answered {
        /// The answer: all that a program would have printed.
        answer: String,
        /// Its standard error.
        stderr: String,
        /// The time that it took, in milliseconds.
        ms: f64,
    },
    /// The bot did not answer in time.
    Late {
        /// The time since the request was sent, in milliseconds.
        ms: f64,
    },
    /// The request has not ended yet, and the hub lives.
    Waits,
    /// The answer to `Seen`.
    Seen(bool),
    /// The connection of the bot was lost for longer than the grace of the game.
    Lost {
        /// The grace, in milliseconds.
        grace_ms: u64,
    },
}

/// A seat whose bot runs elsewhere.
#[derive(Debug)]
pub struct RemoteSeat {
    name: String,
    access: RemoteEndpoint,
    /// The connection for the present game, once the bot was asked in it.
    connection: Option<Connection>,
}

impl RemoteSeat {
    pub fn new(name: &str, access: RemoteEndpoint) -> RemoteSeat {
        RemoteSeat { name: name.to_owned(), access, connection: None }
    }

    /// Leaves the present game, if there is one.
    pub fn leave(&mut self) {
        self.connection = None;
    }

    /// Asks the bot, and gives the time that it took and its answer.
    pub fn ask(
        &mut self,
        wanted: CancellationCheck<'_>,
        prompt: &Prompt,
        limits: &Limits,
    ) -> Reply {
        let Prompt::Request(request) = prompt else {
            return void("a remote bot cannot use the classic dialect");
        };
        let reply = self.exchange(wanted, request, limits);
        match reply {
            Ok(reply) => reply,
            Err(error) => {
                self.connection = None;
                void(&format!(
                    "lost the connection to the server for remote bots: {}",
                    system_error(&error)
                ))
            }
        }
    }

    fn exchange(
        &mut self,
        wanted: CancellationCheck<'_>,
        request: &str,
        limits: &Limits,
    ) -> io::Result<Reply> {
        let grace_ms = whole_ms(self.access.grace);
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => {
                let mut connection = reached(&self.access.socket, wanted)?;
                let (bot, games) = (participant(&self.name), self.access.games);
                connection.send(&MessageToHub::Game { bot, grace_ms, games })?;
                none.insert(connection)
            }
        };
        let ask = MessageToHub::Ask {
            request: request.to_owned(),
            ms: whole_ms(limits.time),
            answer_bytes: limits.answer_bytes,
            stderr_bytes: limits.stderr_bytes,
        };
        connection.send(&ask)?;
        let message = loop {
            match connection.receive(wanted, Instant::now() + HUB_PATIENCE)? {
                MessageFromHub::Waits => {}
                message => break message,
            }
        };
        let measured = |ms| Measurements { ms, ..Measurements::default() };
        Ok(match message {
            MessageFromHub::Answered { answer, stderr, ms } => {
                let mut output = answer.into_bytes();
                let much = output.len() > limits.answer_bytes;
                output.truncate(limits.answer_bytes);
                let answer = match much {
                    true => Answer::Stopped {
                        by: StopCause::Output(limits.answer_bytes as u64),
                        output,
                    },
                    false => Answer::Output(output),
                };
                let stderr = stderr.into_bytes().into();
                Reply { answer, measured: Measurements { stderr, ..measured(ms) } }
            }
            MessageFromHub::Late { ms } => {
                let by = StopCause::NoLine(whole_ms(limits.time));
                let ms = ms.max(milliseconds(limits.time));
                Reply { answer: Answer::Stopped { by, output: Vec::new() }, measured: measured(ms) }
            }
            MessageFromHub::Waits | MessageFromHub::Seen(_) => {
                return Err(io::Error::other("unexpected message"));
            }
            MessageFromHub::Lost { grace_ms } => {
                let by = StopCause::Lost(grace_ms);
                let ms = milliseconds(limits.time);
                Reply { answer: Answer::Stopped { by, output: Vec::new() }, measured: measured(ms) }
            }
        })
    }

    pub fn judged(&mut self, verdict: Verdict, detail: &str) {
        self.tell(&MessageToHub::Verdict { verdict, detail: detail.to_owned() });
    }

    /// Tells the bot the points of its game, or that it is void, and leaves the game.
    pub fn finish(&mut self, points: Option<Vec<String>>) {
        self.tell(&MessageToHub::Over { points });
        self.leave();
    }

    /// A hub that is gone is found by the next request.
    fn tell(&mut self, message: &MessageToHub) {
        if let Some(connection) = &mut self.connection
            && connection.send(message).is_err()
        {
            self.connection = None;
        }
    }
}

/// The bot as its hub knows it: a client does not know which version plays.
fn participant(name: &str) -> String {
    name.split('@').next().unwrap_or(name).to_owned()
}

/// Returns true if the program of a bot was there a moment ago.
pub fn is_connected(access: &RemoteEndpoint, name: &str) -> bool {
    let ask = || {
        let mut connection = Connection::open(&access.socket)?;
        connection.send(&MessageToHub::Seen { bot: participant(name) })?;
        connection.receive(CancellationCheck::ALWAYS, Instant::now() + HUB_PATIENCE)
    };
    matches!(ask(), Ok(MessageFromHub::Seen(true)))
}

fn void(why: &str) -> Reply {
    Reply::void(VoidCause::worded(why))
}

fn whole_ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A connection to the hub, as long as the game is wanted; waits for a hub that does not run yet.
fn reached(socket: &Path, wanted: CancellationCheck<'_>) -> io::Result<Connection> {
    let begun = Instant::now();
    loop {
        match Connection::open(socket) {
            Ok(connection) => return Ok(connection),
            Err(error) if begun.elapsed() >= HUB_WAIT => {
                let why =
                    format!("it is not running: start `arbiter serve` ({})", system_error(&error));
                return Err(io::Error::new(error.kind(), why));
            }
            Err(_) if !wanted.is_wanted() => return Err(io::Error::other(UNWANTED)),
            Err(_) => std::thread::sleep(HUB_PAUSE),
        }
    }
}

/// Why a wait for an answer ends early.
const UNWANTED: &str = "its answer is no longer needed";

#[cfg(unix)]
use connection::Connection;

/// The connection of a player to a hub.
#[cfg(unix)]
mod connection {
    use std::fs::File;
    use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixStream;
    use std::path::{Path, PathBuf};
    use std::time::Instant;

    use sandbox::CancellationCheck;

    use super::{LONGEST_LINE, MessageFromHub, MessageToHub, UNWANTED};
    use crate::playing::LOOK;

    #[derive(Debug)]
    pub(super) struct Connection(BufReader<UnixStream>);

    impl Connection {
        pub(super) fn open(socket: &Path) -> io::Result<Connection> {
            let stream = with_short_path(socket, |path| UnixStream::connect(path))?;
            stream.set_read_timeout(Some(LOOK))?;
            Ok(Connection(BufReader::new(stream)))
        }

        pub(super) fn send(&mut self, message: &MessageToHub) -> io::Result<()> {
            let mut line = serde_json::to_vec(message)?;
            line.push(b'\n');
            self.0.get_mut().write_all(&line)
        }

        /// Waits for a message, as long as it is wanted and until a time.
        pub(super) fn receive(
            &mut self,
            wanted: CancellationCheck<'_>,
            until: Instant,
        ) -> io::Result<MessageFromHub> {
            let mut line = Vec::new();
            loop {
                let rest = (LONGEST_LINE - line.len()) as u64;
                match self.0.by_ref().take(rest).read_until(b'\n', &mut line) {
                    Ok(_) if line.ends_with(b"\n") => return Ok(serde_json::from_slice(&line)?),
                    Ok(_) if line.len() >= LONGEST_LINE => {
                        return Err(io::Error::other("its line is too long"));
                    }
                    Ok(_) => return Err(io::Error::other("it has ended")),
                    Err(error)
                        if matches!(
                            error.kind(),
                            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                        ) => {}
                    Err(error) => return Err(error),
                }
                if !wanted.is_wanted() {
                    return Err(io::Error::other(UNWANTED));
                }
                if Instant::now() >= until {
                    return Err(io::Error::other("it is not answering"));
                }
            }
        }
    }

    /// The longest path of a socket that all systems take, in bytes.
    const LONGEST_PATH: usize = 100;

    /// Calls this with the path of a socket, by way of an open folder if the path is too long for an address.
    pub fn with_short_path<T>(
        socket: &Path,
        call: impl FnOnce(&Path) -> io::Result<T>,
    ) -> io::Result<T> {
        if socket.as_os_str().len() <= LONGEST_PATH {
            return call(socket);
        }
        let too_long = || io::Error::other("the path of its socket is too long");
        let (Some(folder), Some(name)) = (socket.parent(), socket.file_name()) else {
            return Err(too_long());
        };
        if !cfg!(target_os = "linux") {
            return Err(too_long());
        }
        let folder = File::open(folder)?;
        call(&PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd())).join(name))
    }
}

#[cfg(unix)]
pub use connection::with_short_path;

/// There are no hubs on other systems.
#[cfg(not(unix))]
#[derive(Debug)]
enum Connection {}

#[cfg(not(unix))]
impl Connection {
    fn open(_: &Path) -> io::Result<Connection> {
        Err(io::Error::other("remote bots need a Unix system"))
    }

    fn send(&mut self, _: &MessageToHub) -> io::Result<()> {
        match *self {}
    }

    fn receive(&mut self, _: CancellationCheck<'_>, _: Instant) -> io::Result<MessageFromHub> {
        match *self {}
    }
}
