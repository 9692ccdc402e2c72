//! The rules about time and faults of remote bots, one call after the other.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use contest::playing::remote::MessageFromHub;

use super::hub::{AnswerState, BotRequest, GameNumber, Hub, PollResult, RefusedAnswer};

const BOT: &str = "anna";
const GRACE: Duration = Duration::from_secs(60);

/// A hub with a game of `anna`, of which the clock begins at 0.
struct TestHub {
    hub: Hub,
    begun: Instant,
    game: GameNumber,
    player: Receiver<MessageFromHub>,
}

impl TestHub {
    fn new() -> TestHub {
        let begun = Instant::now();
        let mut hub = Hub::new(begun, 1);
        let (sender, player) = channel();
        let game = hub.begin(BOT, GRACE, 4, sender);
        TestHub { hub, begun, game, player }
    }

    fn at(&self, ms: u64) -> Instant {
        self.begun + Duration::from_millis(ms)
    }

    /// Asks for an answer within five seconds.
    fn ask(&mut self, id: &str, ms: u64) {
        let time = Duration::from_secs(5);
        let request = "a request\n".to_owned();
        let ask = BotRequest { request, time, answer_bytes: 8, stderr_bytes: 4 };
        self.hub.ask(BOT, self.game, id.to_owned(), ask, self.at(ms));
    }

    /// Polls and takes what there is; the poll stays open if there is nothing.
    fn poll(&mut self, working: &[&str], ms: u64) -> Option<PollResult> {
        let working: Vec<String> = working.iter().map(|&id| id.to_owned()).collect();
        let now = self.at(ms);
        let poll = self.hub.poll(BOT, &working, None, now);
        self.hub.take(BOT, poll, None, now)
    }

    fn polled(&mut self, working: &[&str], ms: u64) -> Vec<String> {
        let taken = self.poll(working, ms).unwrap_or_default();
        taken.requests.into_iter().map(|request| request.id).collect()
    }

    fn answer(&mut self, id: &str, answer: &str, ms: u64) -> Result<AnswerState, RefusedAnswer> {
        let now = self.at(ms);
        self.hub.answer(BOT, id, answer.to_owned(), "a note".to_owned(), now)
    }

    /// Looks at this time, and returns what the player learns.
    fn look(&mut self, ms: u64) -> Option<MessageFromHub> {
        let now = self.at(ms);
        self.hub.look(now);
        self.player.try_recv().ok()
    }
}

fn answered(answer: &str, ms: f64) -> Option<MessageFromHub> {
    Some(MessageFromHub::Answered { answer: answer.to_owned(), stderr: "a no".to_owned(), ms })
}

const LOST: Option<MessageFromHub> = Some(MessageFromHub::Lost { grace_ms: 60_000 });

#[test]
fn the_clock_starts_when_a_request_is_sent_and_an_answer_counts_once() {
    let mut table = TestHub::new();
    table.ask("r", 0);
    assert_eq!(table.polled(&[], 3_000), ["r"]);
    assert_eq!(table.answer("r", "7C", 7_000), Ok(AnswerState::Taken));
    assert_eq!(table.look(7_000), answered("7C", 4_000.0));
    assert_eq!(table.answer("r", "7C", 7_100), Ok(AnswerState::Repeated));
    assert_eq!(table.answer("r", "8C", 7_200), Err(RefusedAnswer::Another));
    assert_eq!(table.look(100_000), None, "the player has one answer");
}

#[test]
fn an_answer_before_its_request_was_sent_and_one_to_another_bots_request_are_unknown() {
    let mut table = TestHub::new();
    table.ask("r", 0);
    assert_eq!(table.answer("r", "7C", 1), Err(RefusedAnswer::Unknown));
    assert_eq!(table.polled(&[], 2), ["r"]);
    let (sender, _other) = channel();
    table.hub.begin("boris", GRACE, 4, sender);
    let now = table.at(3);
    let stolen = table.hub.answer("boris", "r", "7C".to_owned(), String::new(), now);
    assert_eq!(stolen, Err(RefusedAnswer::Unknown));
    assert_eq!(table.answer("r", "8C", 4), Ok(AnswerState::Taken));
    assert_eq!(table.look(4), answered("8C", 2.0));
}

#[test]
fn more_of_an_answer_than_shows_that_it_is_too_long_is_dropped() {
    let mut table = TestHub::new();
    table.ask("r", 0);
    table.polled(&[], 0);
    assert_eq!(table.answer("r", &"x".repeat(1_000), 1), Ok(AnswerState::Taken));
    assert_eq!(table.look(1), answered(&"x".repeat(12), 1.0));
}

#[test]
fn a_client_that_polls_and_does_not_answer_is_late_at_the_deadline() {
    let mut table = TestHub::new();
    table.ask("r", 0);
    assert_eq!(table.polled(&[], 0), ["r"]);
    assert_eq!(table.polled(&["r"], 1_000), [""; 0]);
    assert_eq!(table.look(5_000), None);
    assert_eq!(table.look(5_001), Some(MessageFromHub::Late { ms: 5_001.0 }));
}

#[test]
fn an_answer_after_the_deadline_is_late_not_closed() {
    let mut table = TestHub::new();
    table.ask("r", 0);
    table.polled(&[], 0);
    table.polled(&["r"], 1_000);
    table.look(5_001);
    assert_eq!(table.answer("r", "7C", 5_002), Ok(AnswerState::Late));
    assert_eq!(table.answer("r", "7C", 5_003), Ok(AnswerState::Late));
}

#[test]
fn a_request_of_a_game_that_was_stopped_is_closed() {
    let mut table = TestHub::new();
    table.ask("r", 0);
    table.polled(&[], 0);
    table.hub.end(BOT, table.game, None);
    assert_eq!(table.answer("r", "7C", 1), Ok(AnswerState::Closed));
}

#[test]
fn a_request_that_was_lost_is_sent_again_with_a_new_clock_at_the_cost_of_the_grace() {
    let mut table = TestHub::new();
    table.ask("r", 0);
    assert_eq!(table.polled(&[], 0), ["r"]);
    assert_eq!(table.polled(&[], 4_000), ["r"]);
    assert_eq!(table.answer("r", "7C", 8_999), Ok(AnswerState::Taken));
    assert_eq!(table.look(8_999), answered("7C", 4_999.0));
    // Of the grace, 56 seconds are left for the next request.
    table.ask("s", 9_000);
    assert_eq!(table.look(64_998), None);
    assert_eq!(table.look(65_000), LOST);
}

#[test]
fn requests_sent_again_and_again_end_with_the_grace() {
    let mut table = TestHub::new();
    table.ask("r", 0);
    let ended = (0..100_000).step_by(1_000).find_map(|ms| {
        table.polled(&[], ms);
        table.look(ms).map(|message| (ms, message))
    });
    let (ms, message) = ended.expect("an end");
    assert!(matches!(message, MessageFromHub::Late { .. }), "{message:?}");
    assert!((60_000..=66_000).contains(&ms), "{ms}");
}

#[test]
fn a_client_that_is_gone_for_longer_than_the_grace_has_lost_the_game() {
    let mut table = TestHub::new();
    table.ask("r", 0);
    assert_eq!(table.polled(&[], 0), ["r"]);
    assert_eq!(table.look(5_001), None, "it may come back");
    assert_eq!(table.look(65_001), LOST);
}

#[test]
fn a_bot_that_never_polls_has_the_whole_grace_after_a_start_of_the_server() {
    let mut table = TestHub::new();
    table.ask("r", 59_000);
    assert_eq!(table.look(59_999), None);
    assert_eq!(table.look(60_000), LOST);
}

#[test]
fn answers_without_polls_do_not_keep_a_game_waiting() {
    let mut table = TestHub::new();
    table.ask("r", 0);
    assert_eq!(table.polled(&[], 0), ["r"]);
    assert_eq!(table.answer("r", "7C", 0), Ok(AnswerState::Taken));
    assert_eq!(table.look(0), answered("7C", 0.0));
    table.ask("s", 0);
    for ms in (0..60_000).step_by(10_000) {
        assert_eq!(table.answer("r", "7C", ms), Ok(AnswerState::Repeated));
        assert_eq!(table.answer("none", "7C", ms), Err(RefusedAnswer::Unknown));
        assert_eq!(table.look(ms), None);
    }
    assert_eq!(table.look(60_000), LOST);
}

#[test]
fn a_newer_poll_takes_the_place_of_the_older_one() {
    let mut table = TestHub::new();
    let now = table.at(0);
    let first = table.hub.poll(BOT, &[], None, now);
    let second = table.hub.poll(BOT, &[], None, now);
    let taken = table.hub.take(BOT, first, None, now).expect("an end");
    assert!(taken.replaced && taken.requests.is_empty());
    table.ask("r", 1);
    assert_eq!(table.hub.take(BOT, second, None, now).expect("a request").requests.len(), 1);
}

#[test]
fn a_client_that_wants_no_new_games_does_not_keep_them_waiting_for_ever() {
    let mut table = TestHub::new();
    table.ask("r", 0);
    for ms in [0, 20_000, 40_000] {
        let now = table.at(ms);
        let poll = table.hub.poll(BOT, &[], Some(0), now);
        assert_eq!(table.hub.take(BOT, poll, None, now), None);
        assert_eq!(table.look(ms), None);
    }
    assert_eq!(table.look(60_000), LOST);
}

#[test]
fn a_client_that_leaves_takes_no_games_at_once() {
    let mut table = TestHub::new();
    table.poll(&[], 0);
    assert!(table.hub.takes_games(BOT, table.at(10_000)));
    let now = table.at(20_000);
    let last = table.hub.poll(BOT, &[], Some(0), now);
    table.hub.end_poll(BOT, last, now);
    assert!(!table.hub.takes_games(BOT, now));
    table.poll(&[], 21_000);
    assert!(table.hub.takes_games(BOT, table.at(21_000)));
}

#[test]
fn a_request_that_was_lost_waits_for_no_other_game() {
    let mut table = TestHub::new();
    let (sender, _other) = channel();
    let other = table.hub.begin(BOT, GRACE, 4, sender);
    table.ask("r", 0);
    let time = Duration::from_secs(5);
    let ask =
        BotRequest { request: "another\n".to_owned(), time, answer_bytes: 8, stderr_bytes: 4 };
    let now = table.at(0);
    table.hub.ask(BOT, other, "s".to_owned(), ask, now);
    assert_eq!(table.polled(&[], 1), ["r", "s"]);
    let now = table.at(2);
    let poll = table.hub.poll(BOT, &["r".to_owned()], Some(1), now);
    let taken = table.hub.take(BOT, poll, None, now).unwrap_or_default();
    let again: Vec<&str> = taken.requests.iter().map(|request| request.id.as_str()).collect();
    assert_eq!(again, ["s"], "its game has begun");
}
