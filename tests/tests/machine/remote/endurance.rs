//! A league of bots of all kinds that plays while connections are cut, programs are killed and its server starts again: a
//! game counts once, is void and replayed, or is charged by the rules of `docs/reference/remote.md`.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::mem;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use rules::Nature;
use rustix::process::Signal;
use serde_json::Value;
use tests::bench::{Bench, CEILING, files_below, pause, run};
use tests::installed::is_there;
use tests::league::status;
use tests::log;
use tests::running::{Running, wait_until};
use tests::served::Served;
use tests::tournament::drawn_seed;

use super::endpoint;
use super::proxied::{CuttingProxy, Killed, root};

/// The least number of games and of cuts.
const GAMES: usize = 2_000;
const CUTS: usize = 200;
/// Kills of clients and of the program that plays, in turn.
const KILLS: usize = 20;
/// The games after which the server is killed and starts again, and those after which a client is gone for good.
const RESTART: usize = GAMES / 2;
const GONE: usize = GAMES / 4;
/// The most pieces that the proxy passes on between two cuts: the games have many more in all.
const BETWEEN_CUTS: u32 = 600;

/// The grace of a game: enough for a client that starts again on a busy machine.
const GRACE: &str = "30s";
const LOST: &str = "its connection was lost for more than 30000 ms";
/// The end of a void game in a log.
const VOID: &str = "\"ending\":\"void\"";
/// How the reason of a game begins that is void because its server ended.
const NO_HUB: &str = "lost the connection to the server for remote bots: ";

/// Remote bots: one that starts for every move, one that is resident, and one whose client is gone after a while.
const REMOTE: [&str; 3] = ["anna", "boris", "carl"];
const LEAVES: usize = 2;

/// A league while it is played.
struct Play {
    bench: Bench,
    served: Served,
    proxy: CuttingProxy,
    clients: Vec<Option<Killed>>,
    run: Running,
    /// The games in the logs of rounds that are over.
    counted: BTreeMap<PathBuf, usize>,
}

impl Play {
    /// Starts everything, once the remote bots have entered.
    fn start(chance: &mut Nature) -> Play {
        let bench = Bench::new();
        let words = "league new class --game coup --time-limit 30s --disqualify-after never";
        bench.succeed(words.split(' ').chain(["--allow", "model:network"]));
        model(&bench, chance.clone());
        bench.succeed(["league", "add", "class", "random", "greedy", "./model"]);
        let settings = bench.path("class/league.toml");
        let before = fs::read_to_string(&settings).expect("settings");
        let remote = format!("[remote]\nallowed = true\ngrace = '{GRACE}'\n");
        fs::write(&settings, format!("{before}\n{remote}")).expect("it is ours");
        for name in REMOTE {
            let told = bench.succeed(["league", "invite", "class", name]);
            let token = told.trim_end().rsplit(' ').next().expect("a token").to_owned();
            bench.write(&format!("{name}.token"), token);
        }
        let served = serve(&bench, "127.0.0.1:0");
        let (_, port) = served.address().trim_end_matches('/').rsplit_once(':').expect("a port");
        let seed = chance.below(NonZeroU32::MAX);
        let proxy = CuttingProxy::start(&bench, port, BETWEEN_CUTS, seed);
        let run = league_run(&bench, 1);
        let mut play = Play {
            bench,
            served,
            proxy,
            clients: vec![None, None, None],
            run,
            counted: BTreeMap::new(),
        };
        (0..REMOTE.len()).for_each(|number| play.connect(number));
        let have_entered = |play: &Play| {
            let active = tests::league::states(&play.bench);
            REMOTE.iter().all(|name| active.contains(&format!("{name}@1 active")))
        };
        wait_until("the remote bots have entered", || have_entered(&play));
        play
    }

    /// Starts the client of a remote bot; one that runs is killed.
    fn connect(&mut self, number: usize) {
        self.clients[number] = None;
        let name = REMOTE[number];
        let token = self.bench.path(&format!("{name}.token"));
        let random = self.bench.program("random").display().to_string();
        let resident = root().join("examples/bots/python").display().to_string();
        let bot = if number == 1 { resident } else { random };
        self.clients[number] = Some(self.proxy.client(&self.bench, &token, &["--enter"], [bot]));
    }

    /// Waits until so many games are in the logs; the program that plays starts again when it has ended.
    fn play_until(&mut self, games: usize) {
        self.wait_until(|_, played| played >= games);
    }

    fn wait_until(&mut self, mut is_so: impl FnMut(&Play, usize) -> bool) {
        let mut last = (0, Instant::now());
        loop {
            let played = self.games_so_far();
            if is_so(self, played) {
                return;
            }
            if played > last.0 {
                last = (played, Instant::now());
            }
            let is_stuck = last.1.elapsed() >= CEILING || played >= 2 * GAMES;
            assert!(!is_stuck, "waited in vain, after {played} games\n{}", self.said());
            if self.run.has_ended() {
                assert!(self.run.wait().success(), "{}", self.said());
                self.run = league_run(&self.bench, GAMES.saturating_sub(played).max(1));
            }
            pause(last.1);
        }
    }

    /// Kills the program that plays, in the middle of games.
    fn kill_run(&mut self) {
        self.run.signal(Signal::KILL);
        self.run.wait();
        self.run = league_run(&self.bench, GAMES);
    }

    /// Kills the server while a remote bot plays, and starts it again, until a game is void.
    fn restart_in_a_game(&mut self) {
        let count = |play: &Play, words: &str, name: &str| {
            fs::read_to_string(play.bench.path(name)).map_or(0, |text| text.matches(words).count())
        };
        let begun = |play: &Play| count(play, ": begins, ", "anna.said");
        let void = |play: &Play| {
            let logs = play.rounds().into_iter().map(|round| round.join("games.jsonl"));
            logs.map(|log| count(play, VOID, log.to_str().expect("a text"))).sum::<usize>()
        };
        while void(self) == 0 {
            let before = begun(self);
            self.wait_until(|play, _| begun(play) > before);
            self.restart();
            let played = self.games_so_far();
            self.play_until(played + 4);
        }
    }

    /// Kills the server, and starts it again at the same address.
    fn restart(&mut self) {
        let address = self.served.address().to_owned();
        let address = address.trim_start_matches("http://").trim_end_matches('/');
        self.served.process().signal(Signal::KILL);
        self.served.process().wait();
        let served = serve(&self.bench, address);
        drop(mem::replace(&mut self.served, served));
    }

    /// The rounds, the first one first.
    fn rounds(&self) -> Vec<PathBuf> {
        let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u64>().ok();
        let entries = fs::read_dir(self.bench.path("class/rounds")).into_iter().flatten();
        let mut rounds: Vec<PathBuf> =
            entries.flatten().map(|it| it.path()).filter(|it| number(it).is_some()).collect();
        rounds.sort_by_key(number);
        rounds
    }

    /// The number of games in the logs.
    fn games_so_far(&mut self) -> usize {
        let mut rounds = self.rounds();
        let Some(open) = rounds.pop() else { return 0 };
        for round in rounds {
            self.counted.entry(round).or_insert_with_key(|round| games_of(round));
        }
        self.counted.values().sum::<usize>() + games_of(&open)
    }

    /// Returns true if a bot has played in the newest round, most of which is not played yet.
    fn has_begun_with(&self, name: &str) -> bool {
        let Some(round) = self.rounds().pop() else { return false };
        let text = fs::read_to_string(round.join("games.jsonl")).unwrap_or_default();
        let games: Vec<&str> = text.lines().filter(|line| line.starts_with("{\"game\"")).collect();
        let has_played = |game: &&str| game.contains(&format!("\"{name}@1\""));
        games.len() < 30 && games.iter().any(has_played)
    }

    /// What the program that plays and the clients have said.
    fn said(&self) -> String {
        let of = |name: &str| fs::read_to_string(self.bench.path(name)).unwrap_or_default();
        let end = |text: String| {
            let skipped = text.chars().count().saturating_sub(3_000);
            text.chars().skip(skipped).collect::<String>()
        };
        let names = ["run", "anna.said", "boris.said", "carl.said"];
        names.map(|name| format!("{name}: {}\n", end(of(name)))).concat()
    }
}

/// A copy of the example of a language model, at an endpoint of its own.
fn model(bench: &Bench, chance: Nature) {
    let example = root().join("examples/bots/language-model");
    run(bench.command("cp").arg("-r").arg(example).arg(bench.path("model"))).with_code(0);
    let address = endpoint::start(chance);
    let manifest = format!(
        "name = \"model\"\ncommand = \"python3 bot.py --url {address}\"\nmode = \"resident\"\nnetwork = true\n"
    );
    bench.write("model/bot.toml", manifest);
}

fn serve(bench: &Bench, address: &str) -> Served {
    Served::from_command(bench.arbiter(["serve", "--listen", address, "class", "--submit"]))
}

/// Starts the program that plays; what it says goes to a file.
fn league_run(bench: &Bench, games: usize) -> Running {
    let said = fs::File::options().create(true).append(true).open(bench.path("run"));
    let said = said.expect("a file");
    let mut command = bench.arbiter(["league", "run", "class", "--games", &games.to_string()]);
    Running::start(command.stdout(Stdio::null()).stderr(said))
}

fn games_of(round: &Path) -> usize {
    let log = round.join("games.jsonl");
    if log.exists() { log::whole_games(&log) } else { 0 }
}

/// How the games of a league ended.
#[derive(Debug, Default)]
struct Tally {
    counted: usize,
    void: usize,
    charged: usize,
    of_bot: BTreeMap<String, usize>,
}

impl Tally {
    /// Counts the games of a round, and asserts that the rules were kept.
    fn add(&mut self, round: &Path) {
        let mut ends: BTreeMap<u64, bool> = BTreeMap::new();
        for game in log::games(&round.join("games.jsonl")) {
            let number = game["number"].as_u64().expect("a number");
            let counts = !log::is_void(&game);
            assert_ne!(ends.insert(number, counts), Some(true), "it counts once: {game}");
            match counts {
                true => self.count(&game),
                false => {
                    let why = game["result"]["reason"].as_str().expect("a reason");
                    assert!(why.contains(NO_HUB), "{why}");
                    self.void += 1;
                }
            }
        }
        assert!(ends.values().all(|counts| *counts), "void games are replayed: {ends:?}");
    }

    fn count(&mut self, game: &Value) {
        self.counted += 1;
        let seats = game["seats"].as_array().expect("seats");
        let names = seats.iter().map(|name| name.as_str().expect("a name"));
        for (name, out) in names.clone().zip(game["result"]["out"].as_array().expect("seats")) {
            *self.of_bot.entry(name.to_owned()).or_default() += 1;
            self.charged += usize::from(!out.is_null());
        }
        for answer in log::answers(game).iter().filter(|answer| answer["verdict"] != "ok") {
            let name = seats[answer["seat"].as_u64().expect("a seat") as usize].as_str();
            let fault = (name, answer["verdict"].as_str(), answer["detail"].as_str());
            assert_eq!(fault, (Some("carl@1"), Some("crash"), Some(LOST)), "{game}");
        }
    }
}

#[test]
fn endurance_of_a_league_with_remote_bots() {
    if !is_there("python3") || !is_there("openssl") {
        return;
    }
    let mut chance = drawn_seed("remote::endurance").nature(0);
    let mut play = Play::start(&mut chance);
    let mut steps: Vec<(usize, Step)> = (1..=KILLS)
        .map(|kill| {
            let step = if kill % 2 == 0 { Step::KillRun } else { Step::KillClient(kill / 2 % 2) };
            // Not at the end of a round alone.
            let games = kill * GAMES / (KILLS + 2);
            (games + chance.below(NonZeroU32::new(40).expect("not 0")) as usize, step)
        })
        .chain([(RESTART, Step::Restart), (GONE, Step::Leave)])
        .collect();
    steps.sort();
    for (games, step) in steps {
        play.play_until(games);
        match step {
            Step::KillClient(number) => play.connect(number),
            Step::KillRun => play.kill_run(),
            Step::Restart => play.restart_in_a_game(),
            Step::Leave => {
                play.wait_until(|play, _| play.has_begun_with("carl"));
                play.clients[LEAVES] = None;
            }
        }
    }
    // Some may be void.
    play.play_until(GAMES + KILLS);
    // The last round ends.
    play.run.signal(Signal::KILL);
    play.run.wait();
    let ended = run(&mut play.bench.arbiter(["league", "run", "class", "--games", "1", "--quiet"]));
    assert_eq!(ended.code, Some(0), "{ended:?}");

    let mut tally = Tally::default();
    play.rounds().iter().for_each(|round| tally.add(round));
    let counted = status(&play.bench)["games"].as_u64();
    let Play { bench, served, proxy, clients, .. } = play;
    drop(clients);
    drop(served);
    let cuts = proxy.end();
    println!("{cuts} cuts; {tally:?}");
    bench.succeed(["verify", "class"]);
    assert_eq!(counted, Some(tally.counted as u64));
    assert!(tally.counted >= GAMES && cuts >= CUTS, "{tally:?}, {cuts} cuts");
    assert!(tally.charged > 0, "the bot that left is charged: {tally:?}");
    assert!(tally.void > 0, "the server ended in a game: {tally:?}");
    assert!(
        tally.of_bot.len() == 6 && tally.of_bot.values().all(|&games| games >= 50),
        "{tally:?}"
    );
    for name in REMOTE {
        let token = bench.text(&format!("{name}.token"));
        for file in files_below(&bench.path("class")) {
            let text = fs::read(&file).unwrap_or_default();
            assert!(!text.windows(token.len()).any(|part| part == token.as_bytes()), "{file:?}");
        }
    }
}

/// What happens after a number of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// The client of a bot is killed, and starts again.
    KillClient(usize),
    /// The program that plays is killed, and starts again.
    KillRun,
    /// The server is killed, and starts again.
    Restart,
    /// The client of a bot is gone for good.
    Leave,
}
