//! Bots on the machines of their authors, compared with resident ones.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use bot::launch_target::RemoteEndpoint;
use contest::playing::remote::RemoteSeat;
use rules::{Answer, Prompt, Verdict};
use sandbox::isolation::Isolation;
use sandbox::{CallEnd, CallInput, CancellationCheck, EndOfAnswer, Limits, PonderPermission};
use web::{GamesOffer, InvitedBot, RemoteServer, remote_server};

use super::asking::supervised;
use super::figures::{Table, number, quantile};
use super::workshop::{REQUEST, Workshop};

/// The games at once, and the answers in each of them.
const GAMES: [(usize, usize); 3] = [(1, 2_000), (10, 400), (100, 60)];
/// The answers before the first that is measured.
const FIRST: usize = 5;

/// The times of answers of a resident bot, and of a remote one with the client for Python.
pub(crate) fn remote(workshop: &Workshop) {
    let mut table = Table::new(&["games at once", "bot", "p50, ms", "p99, ms", "answers a second"]);
    for (games, answers) in GAMES {
        let rows = [
            ("resident", residents(workshop, games, answers)),
            ("remote", remote_bots(games, answers, |server| python_client(workshop, server))),
        ];
        for (name, (times, rate)) in rows {
            let [half, most] = [0.5, 0.99].map(|part| number(quantile(&times, part)));
            table.add(&[&games, &name, &half, &most, &number(rate)]);
        }
    }
    table.print();
}

/// The times of the answers in all games, in milliseconds, and the answers a second.
type Measured = (Vec<f64>, f64);

/// Plays this many games at once, each with this many answers.
fn measured<A: FnMut()>(
    games: usize,
    answers: usize,
    game: impl Fn(usize) -> A + Sync,
) -> Measured {
    let begins = Barrier::new(games);
    let one = |number| {
        let mut ask = game(number);
        (0..FIRST).for_each(|_| ask());
        begins.wait();
        let begun = Instant::now();
        let time = |_| {
            let begun = Instant::now();
            ask();
            begun.elapsed().as_secs_f64() * 1e3
        };
        let times: Vec<f64> = (0..answers).map(time).collect();
        (times, begun.elapsed())
    };
    let one = &one;
    let played: Vec<(Vec<f64>, Duration)> = thread::scope(|scope| {
        let games: Vec<_> = (0..games).map(|number| scope.spawn(move || one(number))).collect();
        games.into_iter().map(|game| game.join().expect("no panic")).collect()
    });
    let longest = played.iter().map(|(_, time)| *time).max().unwrap_or_default();
    let rate = (games * answers) as f64 / longest.as_secs_f64();
    (played.into_iter().flat_map(|(times, _)| times).collect(), rate)
}

fn residents(workshop: &Workshop, games: usize, answers: usize) -> Measured {
    measured(games, answers, |_| {
        let mut bot = supervised(workshop, Isolation::Auto, PonderPermission::Never);
        move || {
            let request = CallInput::Turn(REQUEST.as_bytes(), EndOfAnswer::Line);
            let seen = bot.ask(request, &Limits::default());
            assert!(seen.end == CallEnd::Answered && !seen.stdout.is_empty(), "{seen:?}");
        }
    })
}

/// Plays the games of a remote bot with this client, which ends when it is dropped.
fn remote_bots<C>(
    games: usize,
    answers: usize,
    client: impl FnOnce(&RemoteServer) -> C,
) -> Measured {
    let (name, at_once) = ("anna".to_owned(), games as u32);
    let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
    let offer = GamesOffer {
        game: "tablic".to_owned(),
        time_ms: 60_000,
        grace_ms: 60_000,
        games: at_once,
        answer_bytes: limits.answer_bytes,
    };
    let listen = ([127, 0, 0, 1], 0).into();
    let bot = InvitedBot { name: name.clone(), token: "a-token-for-anna".to_owned(), offer };
    let server = remote_server(listen, vec![bot]).expect("a server");
    let client = client(&server);
    let socket = server.socket().to_owned();
    let measured = measured(games, answers, |number| {
        let access = RemoteEndpoint { socket: socket.clone(), grace: limits.time, games: at_once };
        let mut seat = RemoteSeat::new(&name, access);
        let prompt = Prompt::Request(of_match(number));
        move || {
            let reply = seat.ask(CancellationCheck::ALWAYS, &prompt, &limits);
            assert!(matches!(reply.answer, Answer::Output(_)), "{reply:?}");
            seat.judged(Verdict::Ok, "");
        }
    });
    // The client learns that no more games come.
    drop(server);
    drop(client);
    measured
}

/// The request as one of another match: a client takes those of a match for one game.
fn of_match(number: usize) -> String {
    let line = |line: &str| match line.starts_with("match ") {
        true => format!("match {number:032x}\n"),
        false => format!("{line}\n"),
    };
    REQUEST.lines().map(line).collect()
}

fn token_file(server: &RemoteServer) -> PathBuf {
    server.token_files().values().next().expect("a bot").clone()
}

/// A program that is killed in the end.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn python_client(workshop: &Workshop, server: &RemoteServer) -> Killed {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/arbiter_bot");
    let mut command = Command::new("python3");
    command.args(["-B", "-m", "arbiter_bot.connect", &server.url(), "--token-file"]);
    command.arg(token_file(server)).args(["--games", "100", "--"]);
    command.arg(format!("resident:{}", workshop.first_move.display()));
    command.env("PYTHONPATH", package).stdout(Stdio::null());
    Killed(command.spawn().expect("python3 starts"))
}
