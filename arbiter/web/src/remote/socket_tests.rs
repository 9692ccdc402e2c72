//! The socket of games with players that do as they like.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::time::Instant;
use std::{fs, io};

use contest::playing::remote::with_short_path;

use super::hub::Taken;
use super::shared_hub::RemoteHub;
use super::socket::GameSocket;

const GAME: &str = "{\"game\":{\"bot\":\"anna\",\"grace_ms\":60000,\"games\":4}}\n";
const ASK: &str =
    "{\"ask\":{\"request\":\"a request\",\"ms\":60000,\"answer_bytes\":9,\"stderr_bytes\":9}}\n";

/// Polls until there is a request.
fn taken(hub: &RemoteHub) -> Taken {
    loop {
        let now = Instant::now();
        let taken = hub.change_quietly("anna", |hub| {
            let poll = hub.poll("anna", &[], None, now);
            hub.take("anna", poll, None, now)
        });
        if let Some(taken) = taken {
            return taken;
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_game_is_handed_over_and_its_answer_comes_back() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    // Longer than an address takes.
    let inner = folder.path().join("x".repeat(120));
    fs::create_dir(&inner)?;
    let path = inner.join("games");
    let hub = RemoteHub::new();
    let _socket = GameSocket::listen(&path, Arc::clone(&hub))?;
    assert_eq!(fs::metadata(&path)?.permissions().mode() & 0o777, 0o600);
    let mut player = with_short_path(&path, |path| UnixStream::connect(path))?;
    write!(player, "{GAME}{ASK}")?;
    let id = taken(&hub).requests[0].id.clone();
    let answer = |hub: &mut super::hub::Hub| {
        hub.answer("anna", &id, "7C".to_owned(), String::new(), Instant::now())
    };
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
    let _socket = GameSocket::listen(&path, RemoteHub::new())?;
    for lines in [ASK.to_owned(), format!("{GAME}{GAME}"), "x\n".to_owned(), "{}\n".to_owned()] {
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
    let _socket = GameSocket::listen(&path, RemoteHub::new())?;
    let second = GameSocket::listen(&path, RemoteHub::new());
    assert_eq!(second.map(drop).map_err(|error| error.kind()), Err(io::ErrorKind::AddrInUse));
    UnixStream::connect(&path).map(drop)
}
