//! The file of games that are being played: it is there while they are played and no longer, and its public part holds
//! nothing hidden.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, thread};

use contest::playing::GameSetup;
use contest::tournament::folder::{Entrants, TournamentFolder};
use contest::tournament::playing_now::{RunningGames, RunningGamesPublisher, read};
use record::{GameReader, revealed_seed};
use report::game_line::HandVisibility;
use report::steps::LiveGame;
use rules::replay::{ReplayWatcher, replay, replay_begun};
use rules::{GameInProgress, GameRecord, Outcome, Referee, RefereeInput, Seat, Seed};
use serde_json::Value;
use series::Series;
use series::progress::NextGame;

fn examples(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path)
}

/// The games of a log, what they are, and what their cards follow from.
fn logged(path: &str) -> (Series, Vec<GameRecord>, Seed) {
    let path = examples(path);
    let mut log = GameReader::open(&path).unwrap();
    let series = log.series().clone();
    let mut games = Vec::new();
    while let Some(next) = log.next_game().unwrap() {
        games.push(*next.game);
    }
    let seed = revealed_seed(&mut record::open(&path).unwrap()).unwrap().unwrap();
    let dealing = series.dealing(&seed);
    (series, games, dealing)
}

/// A game as it was after this number of inputs.
fn begun(game: &GameRecord, inputs: usize) -> GameInProgress {
    let GameRecord { game: number, attempt, deal, id, .. } = *game;
    GameInProgress {
        game: number,
        attempt,
        deal,
        id,
        seats: game.seats.clone(),
        bot_seeds: game.bot_seeds.clone(),
        inputs: game.inputs[..inputs].to_vec(),
        elapsed: Vec::new(),
    }
}

/// Waits for what comes by itself.
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(300), "{what} did not come");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn games_are_shown_while_they_are_played_and_no_longer() {
    let (series, games, seed) = logged("tournaments/coup/games.jsonl");
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join("cup");
    let entrants = || Entrants::new(&series.header().players, Vec::new());
    let folder = TournamentFolder::create(&path, "no plan", &entrants(), None).unwrap();
    let file = path.join("playing.json");
    assert!(read(&path).unwrap().is_empty());
    let board = RunningGames::new(2);
    let setup = |game| GameSetup::new(&series, NextGame { game, attempt: 0 });
    thread::scope(|scope| {
        let publisher = RunningGamesPublisher::start(&folder, &board, scope).unwrap();
        let other = board.begin(1, &series, &setup(7), &seed);
        let mut shown = board.begin(0, &series, &setup(3), &seed);
        let mut steps = 0;
        replay(series.setup(&games[3], None), &games[3], |referee| {
            shown.stepped(referee);
            steps += 1;
            // Not at every step, each of which takes a quarter of a second.
            if steps % 10 == 1 {
                let expected = [begun(&games[3], referee.inputs().len()), begun(&games[7], 0)];
                wait_until("a step", || read(&path).unwrap() == expected);
            }
        })
        .unwrap();
        assert!(steps > 10, "{steps}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "hidden cards are in it");
        }
        drop(shown);
        wait_until("the end of a game", || read(&path).unwrap() == [begun(&games[7], 0)]);
        drop(other);
        wait_until("the end of the other", || read(&path).unwrap().is_empty());
        drop(publisher);
    });
    assert!(!file.exists());
    let left: BTreeSet<_> =
        fs::read_dir(&path).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, ["entrants.json", "lock", "plan.toml"].map(Into::into).into());
    // A run that was killed leaves games that are no longer played, and the next run removes them.
    let stale = serde_json::json!({"games": [begun(&games[3], 4)]}).to_string();
    fs::write(&file, &stale).unwrap();
    assert_eq!(read(&path).unwrap().len(), 1, "while a run has the folder");
    drop(folder);
    assert!(read(&path).unwrap().is_empty(), "no one has the folder");
    assert!(file.exists());
    let _folder = TournamentFolder::open(&path).unwrap();
    assert!(!file.exists());
}

/// A bot may print much; what is shown of one game has a bound.
#[test]
fn a_game_of_endless_answers_is_shown_as_far_as_there_is_room() {
    let (series, games, seed) = logged("matches/tablic-disputed.jsonl");
    let (game, at) = games
        .iter()
        .find_map(|game| {
            let is_bad =
                |input: &RefereeInput| input.answer().is_some_and(|it| !it.detail.is_empty());
            Some((game, game.inputs.iter().position(is_bad)?))
        })
        .expect("a fault");
    let mut long = game.clone();
    if let RefereeInput::Answer(answer) = &mut long.inputs[at] {
        answer.reply.0 = vec![b'x'; 1 << 20];
    }
    let board = RunningGames::new(1);
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join("cup");
    let entrants = Entrants::new(&series.header().players, Vec::new());
    let folder = TournamentFolder::create(&path, "no plan", &entrants, None).unwrap();
    thread::scope(|scope| {
        let _publisher = RunningGamesPublisher::start(&folder, &board, scope).unwrap();
        let setup = GameSetup::new(&series, NextGame { game: game.game, attempt: game.attempt });
        let mut shown = board.begin(0, &series, &setup, &seed);
        // The printed move differs from the judged one, which the steps alone do not show.
        let watch = |referee: &Referee| shown.stepped(referee);
        let _ = replay(series.setup(&long, None), &long, watch);
        wait_until("the game", || !read(&path).unwrap().is_empty());
        let read = read(&path).unwrap();
        assert!(read[0].inputs.len() <= at, "{} inputs, fault at {at}", read[0].inputs.len());
        assert!(fs::metadata(path.join("playing.json")).unwrap().len() < 1 << 20);
    });
}

/// The views of all seats at the last step, and their history.
#[derive(Default)]
struct Seen {
    views: Vec<String>,
    histories: Vec<Vec<String>>,
    /// The events that are a secret, in full.
    secrets: Vec<String>,
    public: Vec<String>,
}

impl ReplayWatcher for Seen {
    fn on_step(&mut self, referee: &Referee) {
        let seats = || Seat::first(referee.seats());
        self.views = seats().map(|seat| referee.view(seat)).collect();
        self.histories = seats().map(|seat| referee.history_of(seat, 0)).collect();
        let told = referee.history_lines(0);
        let is_hidden = |told: &&rules::HistoryLine| {
            let redacted = told.secret.as_ref();
            redacted.is_some_and(|secret| secret.public.as_deref() != Some(&*told.full))
        };
        self.secrets = told.iter().filter(is_hidden).map(|told| told.full.clone()).collect();
        let public = told.into_iter().filter_map(|told| match told.secret {
            None => Some(told.full),
            Some(secret) => secret.public,
        });
        self.public = public.collect();
    }
}

fn words<'a>(lines: impl IntoIterator<Item = &'a str>) -> BTreeSet<&'a str> {
    lines.into_iter().flat_map(|line| line.split([' ', ','])).collect()
}

/// The events of the steps in JSON, and the view after the last of them; nothing else may be there.
fn events_and_view(game: &Value) -> (Vec<String>, Vec<String>) {
    let (mut events, mut view) = (Vec::new(), BTreeMap::new());
    for step in game["steps"].as_array().unwrap() {
        let step = step.as_object().unwrap();
        assert!(step.keys().all(|key| key == "events" || key == "all"), "{step:?}");
        let lines = step.get("events").and_then(Value::as_array).into_iter().flatten();
        events.extend(lines.map(|line| line.as_str().expect("one form for all").to_owned()));
        for (place, line) in step.get("all").and_then(Value::as_object).into_iter().flatten() {
            let place: usize = place.parse().unwrap();
            match line.as_str() {
                Some(line) => view.insert(place, line.to_owned()),
                None => view.remove(&place),
            };
        }
    }
    (events, view.into_values().collect())
}

const HEADING: [&str; 11] = [
    "number", "attempt", "deal", "id", "seats", "ending", "scores", "moves", "hands", "from",
    "steps",
];

/// A hidden card is one that is in a hand, and that not every other seat has seen.
fn assert_nothing_hidden(series: &Series, begun: &GameInProgress) -> usize {
    let now = LiveGame::new(series, begun, HandVisibility::Public).unwrap();
    let json: Value = serde_json::from_str(&now.json_from(0).unwrap()).unwrap();
    let keys: BTreeSet<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, HEADING.into());
    let mut seen = Seen::default();
    let record = begun.record();
    replay_begun(series.setup(&record, None), begun, &mut seen).unwrap();
    let (events, view) = events_and_view(&json);
    assert_eq!(events, seen.public);
    let mut hidden = 0;
    for (seat, own) in seen.views.iter().enumerate() {
        for line in &view {
            assert!(own.lines().any(|it| it == line), "`{line}` is not in the view of seat {seat}");
        }
        let hand = own.lines().find_map(|line| line.strip_prefix("hand")).expect("a hand");
        let others = (0..seen.views.len()).filter(|other| *other != seat);
        let known: Vec<BTreeSet<&str>> = others
            .map(|other| {
                let lines = seen.histories[other].iter().map(String::as_str);
                words(lines.chain(seen.views[other].lines()))
            })
            .collect();
        let shown = words(events.iter().chain(&view).map(String::as_str));
        for card in hand.split_whitespace() {
            if known.iter().all(|known| known.contains(card)) {
                continue;
            }
            hidden += 1;
            assert!(!shown.contains(card), "{card} of seat {seat}: {json}");
        }
    }
    for secret in &seen.secrets {
        let count = |lines: &[String]| lines.iter().filter(|line| *line == secret).count();
        assert_eq!(count(&events), count(&seen.public), "`{secret}`: {json}");
    }
    hidden
}

#[test]
fn nothing_hidden_is_in_what_all_may_see() {
    for log in
        ["tablic-2-seats", "tablic-3-seats", "tablic-disputed", "coup", "coup-classic", "durak"]
    {
        let (series, games, _) = logged(&format!("matches/{log}.jsonl"));
        let mut hidden = 0;
        for game in games.iter().take(3) {
            for inputs in (0..=game.inputs.len()).step_by(5) {
                hidden += assert_nothing_hidden(&series, &begun(game, inputs));
            }
        }
        assert!(hidden > 10, "{log}: {hidden} hidden cards in all states");
    }
}

/// Later steps follow the earlier ones, and can be told without them.
#[test]
fn steps_are_added_at_the_end() {
    for hands in [HandVisibility::Public, HandVisibility::Open] {
        let (series, games, _) = logged("matches/durak.jsonl");
        let game = &games[0];
        let whole = LiveGame::new(&series, &begun(game, game.inputs.len()), hands).unwrap();
        let json = |game: &LiveGame, from| -> Value {
            serde_json::from_str(&game.json_from(from).unwrap()).unwrap()
        };
        let all = json(&whole, 0);
        let all = all["steps"].as_array().unwrap();
        let mut known = 0;
        for inputs in 0..game.inputs.len() {
            let now = LiveGame::new(&series, &begun(game, inputs), hands).unwrap();
            let part = json(&now, known);
            assert_eq!(part["from"], known);
            assert_eq!(part["steps"].as_array().unwrap()[..], all[known..now.steps()]);
            known = now.steps();
        }
        assert!(known > 30, "{known}");
        let open = all.iter().any(|step| step["answer"]["reply"].is_string());
        assert_eq!(open, hands == HandVisibility::Open);
        let Outcome::Played { scores, .. } = &game.result else { panic!("{:?}", game.result) };
        let told: Vec<String> = scores.values().iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), whole.scores.len());
    }
}

/// The file may have been written by anyone.
#[test]
fn a_game_that_is_none_is_refused() {
    let (series, games, _) = logged("matches/tablic-2-seats.jsonl");
    let right = begun(&games[0], 20);
    assert!(LiveGame::new(&series, &right, HandVisibility::Public).is_ok());
    let input = || RefereeInput::Chance("deal 0 2C".to_owned());
    let wrong = [
        GameInProgress { game: u64::MAX, ..right.clone() },
        GameInProgress { deal: 1 << 40, ..right.clone() },
        GameInProgress { seats: vec!["nobody".to_owned()], ..right.clone() },
        GameInProgress { seats: right.seats.iter().rev().cloned().collect(), ..right.clone() },
        GameInProgress { inputs: vec![input()], ..right.clone() },
        GameInProgress { inputs: [&right.inputs[..], &[input()]].concat(), ..right.clone() },
        GameInProgress { inputs: right.inputs.iter().rev().cloned().collect(), ..right.clone() },
        GameInProgress { bot_seeds: rules::BotSeedKey([7; 32]), ..right.clone() },
    ];
    for game in wrong {
        let refused = LiveGame::new(&series, &game, HandVisibility::Open).map(|game| game.steps());
        let problem = refused.expect_err("it is none");
        assert!(!problem.is_empty() && !problem.contains('\n'), "{problem}");
    }
}
