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

use contest::playing::remote::{LONGEST_LINE, MessageFromHub, MessageToHub, with_short_path};
use text::printable;
use text::terminal::say;

use super::hub::{BotRequest, GameNews, GameNumber, Hub, Points};
use super::shared_hub::SharedHub;

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
    pub(super) fn listen(path: &Path, hub: Arc<SharedHub>) -> io::Result<GameSocket> {
        if with_short_path(path, |path| UnixStream::connect(path)).is_ok() {
            return Err(io::Error::new(
                ErrorKind::AddrInUse,
                "another server already handles remote bots here",
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

struct Connection {
    lines: BufReader<UnixStream>,
    hub: Arc<SharedHub>,
    game: Option<SocketGame>,
}

struct SocketGame {
    bot: String,
    number: GameNumber,
    replies: Receiver<MessageFromHub>,
}

impl Connection {
    fn new(stream: UnixStream, hub: Arc<SharedHub>) -> Connection {
        Connection { lines: BufReader::new(stream), hub, game: None }
    }

    fn serve(&mut self) -> io::Result<()> {
        while let Some(message) = self.next()? {
            match (message, &self.game) {
                (MessageToHub::Game { bot, grace_ms, games }, None) => {
                    let (player, replies) = mpsc::channel();
                    let grace = Duration::from_millis(grace_ms);
                    let begin = |hub: &mut Hub| hub.begin(&bot, grace, games, player);
                    let number = self.hub.change_quietly(&bot, begin);
                    self.game = Some(SocketGame { bot, number, replies });
                }
                (MessageToHub::Seen { bot }, None) => {
                    let is_there = self.hub.with(|hub| hub.takes_games(&bot, Instant::now()));
                    self.send(&MessageFromHub::Seen(is_there))?;
                }
                (MessageToHub::Ask { request, ms, answer_bytes, stderr_bytes }, Some(game)) => {
                    let time = Duration::from_millis(ms);
                    let ask = BotRequest { request, time, answer_bytes, stderr_bytes };
                    let (id, now) = (super::shared_hub::drawn_id()?, Instant::now());
                    let ask = |hub: &mut Hub| hub.ask(&game.bot, game.number, id, ask, now);
                    self.hub.change(&game.bot, ask);
                    let Some(reply) = self.reply()? else { return Ok(()) };
                    self.send(&reply)?;
                }
                (MessageToHub::Verdict { verdict, detail }, Some(game)) => {
                    let news = GameNews::Verdict { verdict: verdict.name().to_owned(), detail };
                    self.hub.change(&game.bot, |hub| hub.tell(&game.bot, game.number, news));
                }
                (MessageToHub::Over { points }, Some(game)) => {
                    let news = points.map(|points| GameNews::Over { over: Points { points } });
                    self.hub.change(&game.bot, |hub| hub.end(&game.bot, game.number, news));
                    self.game = None;
                    return Ok(());
                }
                (MessageToHub::Game { .. } | MessageToHub::Seen { .. }, Some(_)) | (_, None) => {
                    return Err(io::Error::other("unexpected message"));
                }
            }
        }
        Ok(())
    }

    fn send(&mut self, message: &MessageFromHub) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        self.lines.get_mut().write_all(&line)
    }

    /// The next message; none at the end.
    fn next(&mut self) -> io::Result<Option<MessageToHub>> {
        let mut line = Vec::new();
        self.lines.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line)?;
        match line.ends_with(b"\n") {
            true => Ok(Some(serde_json::from_slice(&line)?)),
            false => Ok(None),
        }
    }

    /// Waits for the end of a request; none if the player is gone.
    fn reply(&mut self) -> io::Result<Option<MessageFromHub>> {
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
                let mut line = serde_json::to_vec(&MessageFromHub::Waits)?;
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::super::hub::PollResult;
    use super::*;

    const GAME: &str = "{\"game\":{\"bot\":\"anna\",\"grace_ms\":60000,\"games\":4}}\n";
    const ASK: &str = "{\"ask\":{\"request\":\"a request\",\"ms\":60000,\"answer_bytes\":9,\"stderr_bytes\":9}}\n";

    /// Polls until there is a request.
    fn poll_until_taken(hub: &SharedHub) -> PollResult {
        loop {
            let now = Instant::now();
            let taken = hub.change_quietly("anna", |hub| {
                let poll = hub.poll("anna", &[], None, now);
                hub.take("anna", poll, None, now)
            });
            if let Some(taken) = taken {
                return taken;
            }
            thread::yield_now();
        }
    }

    #[test]
    fn a_game_is_handed_over_and_its_answer_comes_back() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        // Longer than an address takes.
        let inner = folder.path().join("x".repeat(120));
        fs::create_dir(&inner)?;
        let path = inner.join("games");
        let hub = SharedHub::new();
        let _socket = GameSocket::listen(&path, Arc::clone(&hub))?;
        assert_eq!(fs::metadata(&path)?.permissions().mode() & 0o777, 0o600);
        let mut player = with_short_path(&path, |path| UnixStream::connect(path))?;
        write!(player, "{GAME}{ASK}")?;
        let id = poll_until_taken(&hub).requests[0].id.clone();
        let answer =
            |hub: &mut Hub| hub.answer("anna", &id, "7C".to_owned(), String::new(), Instant::now());
        hub.change_quietly("anna", answer).expect("an answer in time");
        let mut line = String::new();
        BufReader::new(player).read_line(&mut line)?;
        assert!(line.starts_with("{\"answered\":{\"answer\":\"7C\""), "{line}");
        Ok(())
    }

    #[test]
    fn a_player_that_speaks_out_of_turn_or_not_at_all_json_is_left() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("games");
        let _socket = GameSocket::listen(&path, SharedHub::new())?;
        for lines in [ASK.to_owned(), format!("{GAME}{GAME}"), "x\n".to_owned(), "{}\n".to_owned()]
        {
            let mut player = UnixStream::connect(&path)?;
            player.write_all(lines.as_bytes())?;
            let mut rest = Vec::new();
            // A connection that is closed before all was read is reset on some systems.
            let _ = player.read_to_end(&mut rest);
            assert!(rest.is_empty(), "{lines}");
        }
        Ok(())
    }

    #[test]
    fn a_second_server_is_refused_and_the_socket_of_a_dead_one_is_replaced() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("games");
        drop(UnixListener::bind(&path)?);
        let _socket = GameSocket::listen(&path, SharedHub::new())?;
        let second = GameSocket::listen(&path, SharedHub::new());
        assert_eq!(second.map(drop).map_err(|error| error.kind()), Err(ErrorKind::AddrInUse));
        UnixStream::connect(&path).map(drop)
    }
}
