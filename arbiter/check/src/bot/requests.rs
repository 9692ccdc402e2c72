//! The sample requests of a game, unchanged and varied.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::io;
use std::time::Duration;

use contest::playing;
use contest::playing::{Player, Reply};
use contest::reviewing::with_time;
use rules::custom::RestartPolicy;
use rules::{
    DetailedVerdict, Dialect, GameKind, GameTerms, Outcome, PerSeat, Prompt, Referee,
    StandaloneRequest,
};
use text::counted;
use text::failure::Failure;

use crate::bot::asking::{
    Asker, CONFIRMED, Check, Exchange, RuledExchange, longer_by, machine, stopped,
    with_unknown_keys,
};
use crate::bot::games::{Opponent, fault, mismatch_step, shortened, why_not_repeated};
use crate::bot::step::{Step, StepName};
use crate::report::Listener;

/// Number of samples that are asked again.
const AGAIN: usize = 4;

/// Capacity of a pipe, in bytes.
const PIPE: usize = 64 << 10;

/// Runs all steps with the sample requests of one game with these options.
pub(super) fn requests(
    check: &Check<'_>,
    kind: &GameKind,
    options: &str,
    asker: &mut Asker,
    listener: &mut dyn Listener<StepName>,
) -> Result<(), Failure> {
    let kept = for_game(kind, options).iter();
    let mut samples: Vec<(&str, String)> =
        kept.map(|SampleText { name, text }| (*name, (*text).to_owned())).collect();
    if samples.is_empty() {
        listener.begins(&format!("requests of {kind}"));
        samples = drawn_requests(check, kind, options)?;
    }
    let mut steps = RequestChecks { check, kind, asker, listener };
    let mut known = Vec::new();
    for (name, text) in samples {
        known.extend(steps.sample(name, &text)?);
    }
    let longest = known.iter().max_by_key(|known| known.request.len());
    steps.long_request(longest)?;
    // Chance shows most where there is most to choose from.
    known.sort_by_key(|known| Reverse(known.sample.legal().len()));
    known.truncate(AGAIN);
    let repeats = steps.same_again(&known)?;
    steps.unknown_keys(&known, repeats)
}

struct AnsweredSample {
    name: &'static str,
    request: String,
    sample: StandaloneRequest,
    answer: String,
}

/// Tells whether the bot repeats its answer to the same request, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repeatability {
    Always,
    NotAlways,
}

/// Reason why two requests that mean the same have two answers.
enum DifferenceCause {
    /// Each has its own answer, every time.
    Always,
    /// One request alone has more than one answer.
    ByChance,
    /// An answer was no legal move.
    Failed(Box<Step>),
}

struct RequestChecks<'a, 'b> {
    check: &'a Check<'a>,
    kind: &'a GameKind,
    asker: &'a mut Asker,
    listener: &'b mut dyn Listener<StepName>,
}

impl RequestChecks<'_, '_> {
    /// Begins a step of this game, and returns its name.
    fn begin(&mut self, name: &str) -> StepName {
        let name = StepName::Request(format!("{} {name}", self.kind));
        self.listener.begins(&name.to_string());
        self.asker.begin(&name);
        name
    }

    /// Asks a sample request, and keeps it if the answer is legal.
    fn sample(
        &mut self,
        sample_name: &'static str,
        text: &str,
    ) -> Result<Option<AnsweredSample>, Failure> {
        let name = self.begin(sample_name);
        if let Some(skipped) = self.asker.gives_up(&name) {
            self.listener.on_step(skipped)?;
            return Ok(None);
        }
        let request = with_time(text, self.check.time_ms());
        let sample =
            StandaloneRequest::read(&request).map_err(|error| machine(sample_name, error))?;
        let Some(prompt) = sample.prompt(self.asker.dialect()) else {
            return Err(machine(sample_name, "the game does not have the bot's dialect"));
        };
        let RuledExchange { exchange, ruling, before } = self.asker.ask_afresh(&prompt, &sample)?;
        let Some(answer) = sample.played(self.asker.dialect(), exchange.answer.clone()) else {
            let step = self.fault(&name, "", (&exchange, &ruling), &sample);
            self.listener.on_step(step)?;
            return Ok(None);
        };
        let step = match before {
            None => Step::passed(name, shortened(&answer)),
            Some(DetailedVerdict { verdict, detail }) => {
                let answer = shortened(&answer);
                Step::warning(name, format!("{answer}, on a retry after {verdict}: {detail}"))
            }
        };
        self.listener.on_step(step.taking(exchange.measured.ms))?;
        Ok(Some(AnsweredSample { name: sample_name, request, sample, answer }))
    }

    /// Asks a request that is longer than a pipe holds.
    fn long_request(&mut self, longest: Option<&AnsweredSample>) -> Result<(), Failure> {
        let name = self.begin("long request");
        let step = match (longest, self.asker.gives_up(&name)) {
            _ if self.asker.dialect() != Dialect::Native => no_keys(&name),
            (_, Some(skipped)) => skipped,
            (None, None) => nothing_known(&name),
            (Some(known), None) => {
                let request = longer_by(&known.request, PIPE);
                let bytes = request.len();
                match self.vary(&name, known, &Prompt::Request(request))? {
                    Ok(_) => Step::passed(&name, counted(bytes, "byte", "bytes")),
                    Err(failed) => *failed,
                }
            }
        };
        self.listener.on_step(step)
    }

    fn same_again(&mut self, known: &[AnsweredSample]) -> Result<Repeatability, Failure> {
        let name = self.begin("same answer twice");
        if let Some(skipped) = self.asker.gives_up(&name) {
            self.listener.on_step(skipped)?;
            return Ok(Repeatability::NotAlways);
        }
        let mut repeats = Repeatability::Always;
        let mut step = well(&name, known);
        for known in known {
            let Some(prompt) = known.sample.prompt(self.asker.dialect()) else { continue };
            match self.vary(&name, known, &prompt)? {
                Ok((_, second)) if second == known.answer => {}
                Ok((_, second)) => {
                    repeats = Repeatability::NotAlways;
                    step = not_deterministic(self.check, &name, known, &second);
                }
                Err(failed) => {
                    self.listener.on_step(*failed)?;
                    return Ok(Repeatability::NotAlways);
                }
            }
        }
        self.listener.on_step(step)?;
        Ok(repeats)
    }

    /// Asks the same requests with added lines that a bot must skip.
    fn unknown_keys(
        &mut self,
        known: &[AnsweredSample],
        repeats: Repeatability,
    ) -> Result<(), Failure> {
        let name = self.begin("unknown keys");
        if self.asker.dialect() != Dialect::Native {
            return self.listener.on_step(no_keys(&name));
        }
        if let Some(skipped) = self.asker.gives_up(&name) {
            return self.listener.on_step(skipped);
        }
        for known in known {
            let request = Prompt::Request(with_unknown_keys(&known.request));
            let step = match self.vary(&name, known, &request)? {
                Ok((_, answer))
                    if repeats == Repeatability::NotAlways || answer == known.answer =>
                {
                    continue;
                }
                Ok((exchange, answer)) => match self.confirm(&name, known, &request, &answer)? {
                    DifferenceCause::Always => {
                        let note = format!("{}: unknown lines changed the answer", known.name);
                        mismatch_step(&name, note, &exchange, &known.answer)
                    }
                    DifferenceCause::ByChance => {
                        not_deterministic(self.check, &name, known, &answer)
                    }
                    DifferenceCause::Failed(step) => *step,
                },
                Err(failed) => *failed,
            };
            return self.listener.on_step(step);
        }
        self.listener.on_step(well(&name, known))
    }

    /// Asks both requests in turn, as a bot that looks at a clock may give two answers to the same one.
    fn confirm(
        &mut self,
        name: &StepName,
        known: &AnsweredSample,
        varied: &Prompt,
        answer: &str,
    ) -> Result<DifferenceCause, Failure> {
        let plain = Prompt::Request(known.request.clone());
        for _ in 0..CONFIRMED {
            for (prompt, before) in [(&plain, known.answer.as_str()), (varied, answer)] {
                match self.vary(name, known, prompt)? {
                    Ok((_, again)) if again == before => {}
                    Ok(_) => return Ok(DifferenceCause::ByChance),
                    Err(failed) => return Ok(DifferenceCause::Failed(failed)),
                }
            }
        }
        Ok(DifferenceCause::Always)
    }

    /// A legal answer to a variation and its text, or the failed step.
    fn vary(
        &mut self,
        name: &StepName,
        known: &AnsweredSample,
        prompt: &Prompt,
    ) -> Result<Result<(Exchange, String), Box<Step>>, Failure> {
        let RuledExchange { exchange, ruling, .. } =
            self.asker.ask_afresh(prompt, &known.sample)?;
        Ok(match known.sample.played(self.asker.dialect(), exchange.answer.clone()) {
            Some(answer) => Ok((exchange, answer)),
            None => {
                let place = format!("{}, ", known.name);
                Err(Box::new(self.fault(name, &place, (&exchange, &ruling), &known.sample)))
            }
        })
    }

    fn fault(
        &self,
        name: &StepName,
        place: &str,
        answer: (&Exchange, &DetailedVerdict),
        sample: &StandaloneRequest,
    ) -> Step {
        fault(name, place, answer, Some(sample), self.check)
    }
}

/// Makes the step of requests that were all answered well.
fn well(name: &StepName, known: &[AnsweredSample]) -> Step {
    match known.len() {
        0 => nothing_known(name),
        count => Step::passed(name, counted(count, "request", "requests")),
    }
}

fn not_deterministic(
    check: &Check<'_>,
    name: &StepName,
    known: &AnsweredSample,
    second: &str,
) -> Step {
    let (first, second) = (shortened(&known.answer), shortened(second));
    let sample = known.name;
    let reason = why_not_repeated(check.contender);
    let note = format!("nondeterministic: {sample} answered `{first}`, then `{second}`; {reason}");
    Step::warning(name, note)
}

fn no_keys(name: &StepName) -> Step {
    Step::skipped(name, "the dialect of the bot has no keys")
}

fn nothing_known(name: &StepName) -> Step {
    Step::skipped(name, "no legal answer to compare")
}

/// The names of the requests, in the order of the game.
const NAMES: [&str; 4] = ["first-move", "early-move", "late-move", "last-move"];

/// The most bytes of requests that are kept: those of a game with a long history are long.
const MOST_KEPT: usize = 64 << 20;

/// A built-in player that keeps what it is asked.
struct RecordingPlayer<'a> {
    player: Opponent,
    requests: &'a RefCell<Vec<String>>,
}

impl Player for RecordingPlayer<'_> {
    fn new_game(&mut self) -> io::Result<()> {
        self.player.new_game()
    }

    fn ask(&mut self, prompt: &Prompt, allowed: Option<Duration>) -> Reply {
        if let Prompt::Request(request) = prompt {
            let mut kept = self.requests.borrow_mut();
            if kept.iter().map(String::len).sum::<usize>() < MOST_KEPT {
                kept.push(request.clone());
            }
        }
        self.player.ask(prompt, allowed)
    }
}

/// Plays a random game, and gives some of its requests with their names.
fn drawn_requests(
    check: &Check<'_>,
    kind: &GameKind,
    options: &str,
) -> Result<Vec<(&'static str, String)>, Failure> {
    let set_up = |error| machine("cannot set up a game", error);
    let seats = kind.seats(options).map_err(set_up)?;
    let seed = check.seed;
    let terms = GameTerms::even(seed.name(0), seats, check.time_ms(), seed.bots(0));
    let mut referee = Referee::with(kind, options, terms, RestartPolicy::InGame).map_err(set_up)?;
    let requests: RefCell<Vec<String>> = RefCell::default();
    let keeper = |_| Ok(RecordingPlayer { player: Opponent::new(kind)?, requests: &requests });
    let mut keepers = (0..seats).map(keeper).collect::<Result<Vec<_>, Failure>>()?;
    let players: Vec<&mut dyn Player> =
        keepers.iter_mut().map(|keeper| keeper as &mut dyn Player).collect();
    let mut players: PerSeat<&mut dyn Player> = players.into();
    let played = playing::play(&mut referee, &mut seed.nature(0), &mut players, &mut |_| {});
    if let Outcome::Void { reason } = played.outcome {
        return Err(stopped(reason));
    }
    drop(players);
    drop(keepers);
    let mut requests: Vec<String> = requests.into_inner();
    let last = requests.len().saturating_sub(1);
    let place = |part| last * part / (NAMES.len() - 1);
    let mut places: Vec<(&'static str, usize)> =
        NAMES.into_iter().enumerate().map(|(part, name)| (name, place(part))).collect();
    places.dedup_by_key(|(_, place)| *place);
    let taken = |(name, place): (&'static str, usize)| {
        Some((name, std::mem::take(requests.get_mut(place)?)))
    };
    Ok(places.into_iter().filter_map(taken).collect())
}

/// A request; its name says what is special about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SampleText {
    /// Name of its file, without the ending.
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! samples {
    ($game:literal: $($name:literal),* $(,)?) => {
        &[$(SampleText {
            name: $name,
            text: include_str!(
                concat!("../../../../examples/requests/", $game, "/", $name, ".txt")
            ),
        }),*]
    };
}

const TABLIC: &[SampleText] = samples!(
    "tablic":
    "first-move",
    "late-move",
    "last-move",
    "empty-table",
    "lay-down",
    "capture-one",
    "capture-sum",
    "capture-groups",
    "ace-as-1",
    "ace-as-11",
    "ace-captures",
    "10-of-diamonds",
    "2-of-clubs",
    "tabla",
    "cut-list",
    "3-seats-seat-0",
    "3-seats-seat-1",
    "3-seats-seat-2",
    "4-seats",
    "48-seats",
    "longest-history",
    "seat-out",
);

const COUP: &[SampleText] = samples!(
    "coup":
    "first-move",
    "second-seat",
    "assassinate",
    "coup",
    "foreign-aid",
    "tax",
    "exchange",
    "stolen-from",
    "assassinated",
    "blocked-aid",
    "blocked-steal",
    "blocked-assassin",
    "lie-found-out",
    "lose-a-card",
    "keep-two",
    "keep-one",
    "one-card-left",
    "longest-history",
);

const COURT: &[SampleText] = samples!(
    "coup-court":
    "first-move",
    "tax",
    "exchange",
    "foreign-aid",
    "target-of-assassin",
    "target-of-steal",
    "steal-from-another",
    "own-block",
    "block-of-another",
    "proven-assassin",
    "proven-steal",
    "lie-found-out",
    "lose-a-card",
    "keep-two",
    "seats-gone",
    "6-seats",
    "longest-history",
);

const DURAK: &[SampleText] = samples!(
    "durak":
    "first-move",
    "second-seat",
    "defend",
    "must-take",
    "throw",
    "throw-on-take",
    "beat-trump",
    "cards-taken-up",
    "last-of-the-talon",
    "empty-talon",
    "last-card",
    "transfer",
    "two-attacks",
    "3-seats-a-seat-gone",
    "4-seats-24-cards",
    "5-seats-32-cards",
    "6-seats-36-cards",
    "6-seats-52-cards",
    "seat-out",
    "longest-history",
);

struct SampleSet {
    game: &'static str,
    /// The word that must be among its options; none where they do not matter.
    option: &'static str,
    samples: &'static [SampleText],
}

/// All samples; of a game, those for an option before those for all others.
const SAMPLES: [SampleSet; 4] = [
    SampleSet { game: "tablic", option: "", samples: TABLIC },
    SampleSet { game: "coup", option: "rules=court", samples: COURT },
    SampleSet { game: "coup", option: "", samples: COUP },
    SampleSet { game: "durak", option: "", samples: DURAK },
];

/// Returns the samples of a game with these options, the first move first.
pub(crate) fn for_game(kind: &GameKind, options: &str) -> &'static [SampleText] {
    let has_option =
        |it: &&SampleSet| it.option.is_empty() || options.split(' ').any(|word| word == it.option);
    let samples = SAMPLES.iter().filter(|it| it.game == kind.name()).find(has_option);
    samples.map_or(&[], |it| it.samples)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_kept_sample_is_asked() {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/requests");
        for SampleSet { game, option, samples } in SAMPLES {
            let folder = match option.split_once('=') {
                Some((_, variant)) => format!("{game}-{variant}"),
                None => game.to_owned(),
            };
            let files = fs::read_dir(examples.join(&folder)).expect("samples of every game");
            let kept: BTreeSet<String> = files
                .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
                .collect();
            let asked = samples.iter().map(|sample| format!("{}.txt", sample.name)).collect();
            assert_eq!(kept, asked, "{folder}");
        }
    }

    #[test]
    fn every_sample_is_a_request_of_its_game() {
        for kind in GameKind::ALL {
            assert!(!for_game(kind, "").is_empty(), "{kind}");
        }
        for SampleSet { game, option, samples, .. } in SAMPLES {
            for SampleText { name, text } in samples {
                match StandaloneRequest::read(text) {
                    Ok(sample) => assert_eq!(sample.kind().name(), game, "{name}"),
                    Err(problem) => panic!("{name}: {problem}"),
                }
                let options = text.lines().nth(1).unwrap_or_default();
                assert!(options.contains(option), "{name}");
            }
        }
    }

    #[test]
    fn a_court_has_samples_of_its_own() {
        let coup: GameKind = "coup".parse().expect("a game");
        let first = |options| for_game(&coup, options)[0].text.lines().nth(1);
        assert_eq!(first("seats=2 rules=contest"), Some("game coup seats=2 rules=contest"));
        assert_eq!(first("seats=5 rules=court"), Some("game coup seats=3 rules=court"));
    }
}
