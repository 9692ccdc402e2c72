//! The socket at which programs that play games hand over the requests of remote bots.

use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use contest::playing::remote::{LONGEST_LINE, ToHub, ToPlayer, with_short_path};
use text::printable;
use text::terminal::say;

use super::hub::{Ask, GameNumber, Hub, News, Points};
use super::shared_hub::RemoteHub;

/// The pause between two looks whether a player is still there.
const PAUSE: Duration = Duration::from_millis(50);

/// The time between two signs of life for a player that waits.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

/// The stack of the thread of a game, in bytes.
const STACK: usize = 256 << 10;

/// A socket that takes games as long as it is kept.
#[derive(Debug)]
pub(super) struct GameSocket {
    path: PathBuf,
}

impl GameSocket {
    /// Listens at this path, in the place of a socket whose server is gone.
    ///
    /// # Errors
    ///
    /// Fails if another server listens there.
    pub(super) fn listen(path: &Path, hub: Arc<RemoteHub>) -> io::Result<GameSocket> {
        if with_short_path(path, |path| UnixStream::connect(path)).is_ok() {
            return Err(io::Error::new(
                ErrorKind::AddrInUse,
                "another server asks remote bots here",
            ));
        }
        match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = with_short_path(path, |path| UnixListener::bind(path))?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
        let accept = move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else {
                    thread::sleep(PAUSE);
                    continue;
                };
                let hub = Arc::clone(&hub);
                let game = move || {
                    // A player that is gone needs no answer.
                    let _ = Connection::new(stream, hub).serve();
                };
                let started = thread::Builder::new().stack_size(STACK).spawn(game);
                if let Err(error) = started {
                    say(format!("warning: remote bots: {}", printable(&error.to_string())));
                }
            }
        };
        thread::Builder::new().name("remote games".to_owned()).spawn(accept)?;
        Ok(GameSocket { path: path.to_owned() })
    }
}

impl Drop for GameSocket {
    fn drop(&mut self) {
        // A socket that is left behind is replaced by the next server.
        let _ = fs::remove_file(&self.path);
    }
}

/// The connection of a player for one game.
struct Connection {
    lines: BufReader<UnixStream>,
    hub: Arc<RemoteHub>,
    game: Option<Game>,
}

struct Game {
    bot: String,
    number: GameNumber,
    replies: Receiver<ToPlayer>,
}

impl Connection {
    fn new(stream: UnixStream, hub: Arc<RemoteHub>) -> Connection {
        Connection { lines: BufReader::new(stream), hub, game: None }
    }

    fn serve(&mut self) -> io::Result<()> {
        while let Some(message) = self.next()? {
            match (message, &self.game) {
                (ToHub::Game { bot, grace_ms, games }, None) => {
                    let (player, replies) = mpsc::channel();
                    let grace = Duration::from_millis(grace_ms);
                    let begin = |hub: &mut Hub| hub.begin(&bot, grace, games, player);
                    let number = self.hub.change_quietly(&bot, begin);
                    self.game = Some(Game { bot, number, replies });
                }
                (ToHub::Seen { bot }, None) => {
                    let is_there = self.hub.with(|hub| hub.takes_games(&bot, Instant::now()));
                    self.send(&ToPlayer::Seen(is_there))?;
                }
                (ToHub::Ask { request, ms, answer_bytes, stderr_bytes }, Some(game)) => {
                    let time = Duration::from_millis(ms);
                    let ask = Ask { request, time, answer_bytes, stderr_bytes };
                    let (id, now) = (super::shared_hub::drawn_id()?, Instant::now());
                    let ask = |hub: &mut Hub| hub.ask(&game.bot, game.number, id, ask, now);
                    self.hub.change(&game.bot, ask);
                    let Some(reply) = self.reply()? else { return Ok(()) };
                    self.send(&reply)?;
                }
                (ToHub::Verdict { verdict, detail }, Some(game)) => {
                    let news = News::Verdict { verdict: verdict.name().to_owned(), detail };
                    self.hub.change(&game.bot, |hub| hub.tell(&game.bot, game.number, news));
                }
                (ToHub::Over { points }, Some(game)) => {
                    let news = points.map(|points| News::Over { over: Points { points } });
                    self.hub.change(&game.bot, |hub| hub.end(&game.bot, game.number, news));
                    self.game = None;
                    return Ok(());
                }
                (ToHub::Game { .. } | ToHub::Seen { .. }, Some(_)) | (_, None) => {
                    return Err(io::Error::other("not the message that comes next"));
                }
            }
        }
        Ok(())
    }

    fn send(&mut self, message: &ToPlayer) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        self.lines.get_mut().write_all(&line)
    }

    /// The next message; none at the end.
    fn next(&mut self) -> io::Result<Option<ToHub>> {
        let mut line = Vec::new();
        self.lines.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line)?;
        match line.ends_with(b"\n") {
            true => Ok(Some(serde_json::from_slice(&line)?)),
            false => Ok(None),
        }
    }

    /// Waits for the end of a request; none if the player is gone.
    fn reply(&mut self) -> io::Result<Option<ToPlayer>> {
        let Some(game) = &self.game else { return Ok(None) };
        let mut told = Instant::now();
        loop {
            match game.replies.recv_timeout(PAUSE) {
                Ok(reply) => return Ok(Some(reply)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let stream = self.lines.get_ref();
            if told.elapsed() >= SIGN_OF_LIFE {
                told = Instant::now();
                let mut line = serde_json::to_vec(&ToPlayer::Waits)?;
                line.push(b'\n');
                (&*stream).write_all(&line)?;
            }
            stream.set_nonblocking(true)?;
            let mut one = [0];
            let read = (&*stream).read(&mut one);
            stream.set_nonblocking(false)?;
            match read {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                // It is gone, or it says something out of turn.
                _ => return Ok(None),
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(game) = self.game.take() {
            self.hub.change(&game.bot, |hub| hub.end(&game.bot, game.number, None));
        }
    }
}
