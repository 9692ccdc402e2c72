//! Rules that the machine ends: a game that is played is void, and one that is derived again goes on.

use std::sync::{Arc, Mutex};

use rules::custom::{
    CustomGame, CustomRulesKind, NoAnswer, RENEWALS, RulesId, RulesInstance, RulesSource,
};
use rules::replay::{ReplaySetup, replay};
use rules::seed::dealt;
use rules::{
    Answer, Dialect, FailureCause, GameKind, GamePlace, GameRecord, GameTerms, Measurements,
    Outcome, PerSeat, Referee, Seed, Step, TimeControl, VoidCause,
};

const SEED: Seed = Seed([7; 32]);
const OPTIONS: &str = "seats=2";
const ABOUT: &str = "rules 1\nname toy\nabout a toy\nseats 2\n";

/// The calls of a game, each with its answer. Seat 1 has one move, which is forced.
const GAME: [(&str, &str); 5] = [
    ("new seats=2", "event begin\nchance K\n"),
    ("happen K", "secret 0 deal 0 K\nturn 0\nmove a\nmove b\nfallback a\nview 0 card K\n"),
    ("play a", "event 0 a\nturn 1\nmove c\nforced\nfallback c\n"),
    ("play c", "event 1 c\nturn 0\nmove d\nmove e\nfallback d\n"),
    ("play d", "event 0 d\nover 1 0\n"),
];

/// What becomes of instances, which all share it.
#[derive(Default)]
struct Fate {
    /// Number of instances that were started.
    starts: usize,
    /// Number of calls until one is not answered.
    answers: usize,
    /// Number of calls after those that are not answered.
    ends: u32,
    /// True if an instance is spent after a game.
    is_spent: bool,
    /// True if another instance tells another story.
    is_moody: bool,
}

#[derive(Clone, Default)]
struct Rules(Arc<Mutex<Fate>>);

impl Rules {
    fn game(&self) -> GameKind {
        let id =
            RulesId { carrier: CustomRulesKind::Program, protocol: 1, digest: Default::default() };
        self.end_after(usize::MAX, 0);
        CustomGame::open(id, Box::new(self.clone())).expect("a game").into_kind()
    }

    /// Has the rules end at this call from now on, counted from 0, and at the next ones until they have ended this
    /// often.
    fn end_after(&self, answers: usize, ends: u32) {
        let mut fate = self.0.lock().expect("no test fails with it");
        (fate.answers, fate.ends) = (answers, ends);
    }

    fn starts(&self) -> usize {
        self.0.lock().expect("no test fails with it").starts
    }
}

impl RulesSource for Rules {
    fn start(&self) -> Result<Box<dyn RulesInstance>, NoAnswer> {
        let mut fate = self.0.lock().expect("no test fails with it");
        fate.starts += 1;
        let is_other = fate.is_moody && fate.starts.is_multiple_of(2);
        Ok(Box::new(Instance { fate: Arc::clone(&self.0), calls: 0, is_other }))
    }
}

struct Instance {
    fate: Arc<Mutex<Fate>>,
    /// Number of calls in this game.
    calls: usize,
    is_other: bool,
}

impl RulesInstance for Instance {
    fn call(&mut self, call: &str) -> Result<String, NoAnswer> {
        let mut fate = self.fate.lock().expect("no test fails with it");
        match (fate.answers, fate.ends) {
            (0, 0) => {}
            (0, _) => {
                fate.ends -= 1;
                return Err(NoAnswer::Machine("signal 9".to_owned()));
            }
            (_, _) => fate.answers -= 1,
        }
        if call == "about" {
            return Ok(ABOUT.to_owned());
        }
        if call == GAME[0].0 {
            self.calls = 0;
        }
        let (expected, answer) = GAME[self.calls];
        assert_eq!(call, expected, "an instance gets all calls of a game in order");
        self.calls += 1;
        Ok(if self.is_other { format!("event other\n{answer}") } else { answer.to_owned() })
    }

    fn is_spent(&mut self) -> bool {
        self.fate.lock().expect("no test fails with it").is_spent
    }
}

/// Plays a game in which each seat plays its first move.
fn played(kind: &GameKind) -> GameRecord {
    let place = GamePlace { game: 0, attempt: 0, deal: 0 };
    let stream = dealt(0, 0);
    let terms = GameTerms::even(SEED.name(0), 2, 5000, SEED.bots(stream));
    let mut referee = Referee::new(kind, OPTIONS, terms).expect("a game");
    let mut nature = SEED.nature(stream);
    let mut answers = 0;
    let outcome = loop {
        match referee.step() {
            Step::Moved => {}
            Step::Nature(draw) => draw.draw(&mut nature),
            Step::Ask(question) => {
                let mv = question.legal_moves().0.swap_remove(0);
                question.answer(Answer::Output(mv.into_bytes()));
                answers += 1;
            }
            Step::Over(outcome) => break outcome.clone(),
        }
    };
    let (names, measured) = (["a", "b"].map(str::to_owned), vec![Measurements::default(); answers]);
    GameRecord::new(&referee, place, names.to_vec(), outcome, measured)
}

fn derived(kind: &GameKind, record: &GameRecord) -> Result<(), String> {
    let setup = ReplaySetup {
        kind: kind.clone(),
        options: OPTIONS,
        times: PerSeat::new(2, |_| TimeControl::even(5000)),
        dialects: PerSeat::new(2, |_| Dialect::Native),
        retries: 0,
        seed: Some(&SEED),
    };
    replay(setup, record, |_| {}).map_err(|problem| problem.to_string())
}

#[test]
fn a_game_whose_rules_are_ended_at_any_call_is_void_and_verifies() {
    for (call, (text, _)) in GAME.iter().enumerate() {
        let rules = Rules::default();
        let kind = rules.game();
        rules.end_after(call, 1);
        let record = played(&kind);
        let cause = record.result.cause();
        let ended = matches!(&cause, Some(FailureCause::Void(VoidCause::RulesEnded(why)))
            if why.contains(text) && why.contains("signal 9"));
        assert!(ended, "ended at `{text}`: {cause:?}");
        // There they are not ended.
        assert_eq!(derived(&kind, &record), Ok(()), "ended at `{text}`");
        let again = played(&kind);
        assert!(matches!(again.result, Outcome::Played { .. }), "{:?}", again.result);
    }
}

#[test]
fn a_game_that_is_derived_goes_on_with_other_rules() {
    let rules = Rules::default();
    let kind = rules.game();
    let record = played(&kind);
    for (call, (text, _)) in GAME.iter().enumerate() {
        for ends in 1..=RENEWALS {
            rules.end_after(call, ends);
            assert_eq!(derived(&kind, &record), Ok(()), "{ends} times from `{text}`");
        }
        rules.end_after(call, RENEWALS + 2);
        assert!(derived(&kind, &record).is_err(), "too often from `{text}`");
        rules.end_after(usize::MAX, 0);
    }
}

#[test]
fn other_text_of_other_rules_is_found_where_a_game_is_derived() {
    let rules = Rules::default();
    let kind = rules.game();
    let record = played(&kind);
    rules.0.lock().expect("no test fails with it").is_moody = true;
    let is_next_other = rules.starts() % 2 == 1;
    rules.end_after(2, if is_next_other { 1 } else { 2 });
    let problem = derived(&kind, &record).expect_err("it is another game");
    assert!(problem.contains("was answered by other text"), "{problem}");
}

#[test]
fn rules_that_are_ended_between_two_games_make_none_of_them_void() {
    let rules = Rules::default();
    let kind = rules.game();
    played(&kind);
    let before = rules.starts();
    rules.end_after(0, 1);
    let record = played(&kind);
    assert!(matches!(record.result, Outcome::Played { .. }), "{:?}", record.result);
    assert_eq!(rules.starts(), before + 1);
}

#[test]
fn rules_that_are_spent_play_no_further_game() {
    for (is_spent, starts) in [(false, 1), (true, 4)] {
        let rules = Rules::default();
        let kind = rules.game();
        rules.0.lock().expect("no test fails with it").is_spent = is_spent;
        let before = rules.starts();
        (0..4).for_each(|_| drop(played(&kind)));
        assert_eq!(rules.starts() - before, starts);
    }
}

#[test]
fn rules_that_are_ended_while_they_describe_themselves_are_started_again() {
    let id = RulesId { carrier: CustomRulesKind::Program, protocol: 1, digest: Default::default() };
    for (ends, opens) in [(RENEWALS, true), (RENEWALS + 1, false)] {
        let rules = Rules::default();
        rules.end_after(0, ends);
        let opened = CustomGame::open(id, Box::new(rules.clone()));
        assert_eq!(opened.is_ok(), opens, "{ends} times");
        assert!(opened.err().is_none_or(|fault| fault.is_of_machine()));
    }
}
