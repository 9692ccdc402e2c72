//! The hub: the requests of games for bots that run elsewhere, and the rules about their time.
//!
//! # Theory of operation
//!
//! The hub is a state machine without a socket or a clock. Its callers pass in the time, and it returns the time of the
//! next deadline. So each rule is tested by a table of calls.
//!
//! A game asks ([`Hub::ask`]); the client of the bot polls ([`Hub::poll`]) and takes what there is ([`Hub::take`]). The
//! clock of a request starts when it is taken. A poll names the requests on which the client works: one that was taken
//! before and is not named was lost on its way, and is sent again. What that costs comes off the *grace* of its game. An
//! answer ([`Hub::answer`]) ends a request, and so do its deadline and the end of the grace ([`Hub::look`]).

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use contest::playing::remote::MessageFromHub;
use serde::Serialize;

/// Most events that are kept of a bot, for clients that were away.
const EVENTS: usize = 1_000;

/// Most ended requests that are kept of a bot, for answers that come again.
const ENDED: usize = 2_000;

/// The time after which a client that has said nothing is not waited for at the end.
const MOMENT: Duration = Duration::from_secs(30);

/// Most bytes of requests in one response beside the first.
const MOST_TAKEN: usize = 4 << 20;

/// All games of remote bots on this server.
#[derive(Debug)]
pub(super) struct Hub {
    begun: Instant,
    bots: HashMap<String, RemoteBot>,
    next_game: u64,
    next_poll: u64,
    next_event: u64,
    /// No more games come.
    is_over: bool,
}

pub(super) type GameNumber = u64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PollNumber(u64);

#[derive(Debug, Default)]
struct RemoteBot {
    poll: Option<PollNumber>,
    /// The time of its last sign of life.
    seen: Option<Instant>,
    /// The most games in which its client wants to be asked at once.
    wanted: Option<u32>,
    /// True if its client knows that no more games come.
    knows_end: bool,
    games: BTreeMap<GameNumber, OpenGame>,
    ended: VecDeque<EndedRequest>,
    /// Makes the digests of answers.
    hasher: RandomState,
    events: VecDeque<Event>,
}

#[derive(Debug)]
struct OpenGame {
    grace: Duration,
    grace_left: Duration,
    /// The most games in which the bot is asked at once.
    most: u32,
    /// True once a request of it was taken.
    is_taken: bool,
    request: Option<OpenRequest>,
    player: Sender<MessageFromHub>,
}

#[derive(Debug)]
struct OpenRequest {
    id: String,
    ask: BotRequest,
    asked: Instant,
    /// The time at which it was sent, unless it was lost and is to be sent again.
    sent: Option<Instant>,
    /// The time at which it was sent last.
    last_sent: Option<Instant>,
    /// True if it has to be sent again although its clock goes on.
    is_due: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BotRequest {
    pub(super) request: String,
    pub(super) time: Duration,
    pub(super) answer_bytes: usize,
    pub(super) stderr_bytes: usize,
}

#[derive(Debug)]
struct EndedRequest {
    id: String,
    end: EndOfRequest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EndOfRequest {
    /// The answer with this digest counts. The text itself may be long, and there are many.
    Answered(u64),
    /// Its time or the grace of its game was over.
    TimeUp,
    /// Its game is over or was stopped.
    Closed,
}

/// Something that the client of a bot learns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Event {
    /// Its number; later ones are greater, after a restart of the server as well.
    pub(super) event: u64,
    pub(super) game: String,
    #[serde(flatten)]
    pub(super) news: GameNews,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(super) enum GameNews {
    /// The verdict on the last answer.
    Verdict {
        verdict: String,
        detail: String,
    },
    Over {
        over: Points,
    },
    /// The game is void, or was stopped.
    Stopped {
        /// Always true.
        stopped: bool,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Points {
    pub(super) points: Vec<String>,
}

/// A request as the client gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct SentRequest {
    pub(super) id: String,
    pub(super) game: String,
    /// The time for the answer, in milliseconds.
    pub(super) ms: u64,
    pub(super) request: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(super) struct PollResult {
    pub(super) requests: Vec<SentRequest>,
    pub(super) events: Vec<Event>,
    /// The number of the last event so far.
    pub(super) last: u64,
    /// True if a newer poll has taken the place of this one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) replaced: bool,
    /// True if no more games come.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) ended: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum AnswerState {
    /// It counts.
    Taken,
    /// The same answer has come before.
    Repeated,
    Late,
    /// Its game is over or was stopped.
    Closed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RefusedAnswer {
    /// The bot has no such request.
    Unknown,
    /// Another answer to it counts.
    Another,
}

impl Hub {
    /// A hub that starts now; `first_event` is greater than the events of all hubs before.
    pub(super) fn new(now: Instant, first_event: u64) -> Hub {
        Hub {
            begun: now,
            bots: HashMap::new(),
            // Games of a later server have other names.
            next_game: first_event,
            next_poll: 1,
            next_event: first_event,
            is_over: false,
        }
    }

    /// Begins a game of a bot, whose player reads from this channel.
    pub(super) fn begin(
        &mut self,
        bot: &str,
        grace: Duration,
        most: u32,
        player: Sender<MessageFromHub>,
    ) -> GameNumber {
        let number = self.next_game;
        self.next_game += 1;
        let (grace_left, request) = (grace, None);
        let game = OpenGame { grace, grace_left, most, is_taken: false, request, player };
        self.bots.entry(bot.to_owned()).or_default().games.insert(number, game);
        number
    }

    /// Asks the bot of a game. The answer of an earlier request is not wanted any more.
    pub(super) fn ask(
        &mut self,
        bot: &str,
        game: GameNumber,
        id: String,
        ask: BotRequest,
        now: Instant,
    ) {
        let Some(bot) = self.bots.get_mut(bot) else { return };
        let Some(game) = bot.games.get_mut(&game) else { return };
        let request =
            OpenRequest { id, ask, asked: now, sent: None, last_sent: None, is_due: true };
        if let Some(old) = game.request.replace(request) {
            bot.end(old.id, EndOfRequest::Closed);
        }
    }

    /// Ends a game; its open request is closed.
    pub(super) fn end(&mut self, bot: &str, game: GameNumber, news: Option<GameNews>) {
        let Some(known) = self.bots.get_mut(bot) else { return };
        let Some(open) = known.games.remove(&game) else { return };
        if let Some(request) = open.request {
            known.end(request.id, EndOfRequest::Closed);
        }
        if open.is_taken {
            self.tell(bot, game, news.unwrap_or(GameNews::Stopped { stopped: true }));
        }
    }

    /// Tells the client of a bot something about a game.
    pub(super) fn tell(&mut self, bot: &str, game: GameNumber, news: GameNews) {
        let Some(bot) = self.bots.get_mut(bot) else { return };
        let event = Event { event: self.next_event, game: game_name(game), news };
        self.next_event += 1;
        bot.events.push_back(event);
        if bot.events.len() > EVENTS {
            bot.events.pop_front();
        }
    }

    /// Opens a poll in the place of an older one. The client works on these requests, and wants to be asked in so many
    /// games at once.
    pub(super) fn poll(
        &mut self,
        bot: &str,
        working: &[String],
        wanted: Option<u32>,
        now: Instant,
    ) -> PollNumber {
        let number = PollNumber(self.next_poll);
        self.next_poll += 1;
        let begun = self.begun;
        let bot = self.bots.entry(bot.to_owned()).or_default();
        let seen = bot.last_seen(begun, now);
        let refused = bot.wanted == Some(0);
        let working: HashSet<&str> = working.iter().map(String::as_str).collect();
        for game in bot.games.values_mut() {
            game.charge_wait(seen, refused, now);
            game.send_again(&working, now);
        }
        (bot.poll, bot.seen, bot.wanted) = (Some(number), Some(now), wanted);
        number
    }

    /// Takes what there is for a poll, with events after this one. A poll that takes something is over.
    pub(super) fn take(
        &mut self,
        bot: &str,
        poll: PollNumber,
        after: Option<u64>,
        now: Instant,
    ) -> Option<PollResult> {
        let last = self.next_event.saturating_sub(1);
        let is_over = self.is_over;
        let bot = self.bots.get_mut(bot)?;
        if bot.poll != Some(poll) {
            return Some(PollResult { last, replaced: true, ..PollResult::default() });
        }
        let requests = bot.take_requests(now);
        let first = after.map_or(bot.events.len(), |after| {
            bot.events.partition_point(|event| event.event <= after)
        });
        let events: Vec<Event> = bot.events.range(first..).cloned().collect();
        if requests.is_empty() && events.is_empty() && !is_over {
            return None;
        }
        bot.knows_end |= is_over;
        bot.close_poll(now);
        Some(PollResult { requests, events, last, replaced: false, ended: is_over })
    }

    /// Ends a poll that was answered or whose client is gone.
    pub(super) fn end_poll(&mut self, bot: &str, poll: PollNumber, now: Instant) {
        if let Some(bot) = self.bots.get_mut(bot).filter(|bot| bot.poll == Some(poll)) {
            bot.close_poll(now);
        }
    }

    /// Takes an answer of a bot, and what it says beside it.
    pub(super) fn answer(
        &mut self,
        bot: &str,
        id: &str,
        answer: String,
        mut stderr: String,
        now: Instant,
    ) -> Result<AnswerState, RefusedAnswer> {
        let bot = self.bots.get_mut(bot).ok_or(RefusedAnswer::Unknown)?;
        let open = bot.games.values_mut().find(|game| game.has(id));
        let Some((game, request)) = open.and_then(|game| {
            let request = game.request.take_if(|request| request.last_sent.is_some())?;
            Some((game, request))
        }) else {
            return bot.answer_again(id, &answer);
        };
        // No other answer is a sign of life: a client that never polls would keep its games waiting for ever.
        bot.seen = bot.seen.max(Some(now));
        // One that was lost on its way may have been answered all the same.
        let sent = request.sent.or(request.last_sent).unwrap_or(now);
        let taken = now.saturating_duration_since(sent);
        if taken > request.ask.time {
            let _ = game.player.send(MessageFromHub::Late { ms: ms(taken) });
            bot.end(request.id, EndOfRequest::TimeUp);
            return Ok(AnswerState::Late);
        }
        // A character more shows the referee that there was too much.
        let kept = cut(&answer, request.ask.answer_bytes.saturating_add(4)).to_owned();
        stderr.truncate(cut(&stderr, request.ask.stderr_bytes).len());
        let _ = game.player.send(MessageFromHub::Answered { answer: kept, stderr, ms: ms(taken) });
        let digest = bot.hasher.hash_one(&answer);
        bot.end(request.id, EndOfRequest::Answered(digest));
        Ok(AnswerState::Taken)
    }

    /// Says that no more games come.
    pub(super) fn finish(&mut self) {
        self.is_over = true;
    }

    /// Returns true if a client that was there a moment ago does not know yet that no more games come.
    pub(super) fn has_open_clients(&self, now: Instant) -> bool {
        self.bots.iter().any(|(name, bot)| !bot.knows_end && self.is_there(name, now))
    }

    /// Returns true if the client of a bot was there a moment ago.
    pub(super) fn is_there(&self, bot: &str, now: Instant) -> bool {
        self.bots.get(bot).is_some_and(|bot| {
            bot.poll.is_some() || bot.seen.is_some_and(|seen| now < seen + MOMENT)
        })
    }

    /// Returns true if a bot would take a new game: its client was there a moment ago, and does not refuse them.
    pub(super) fn takes_games(&self, bot: &str, now: Instant) -> bool {
        let refuses = self.bots.get(bot).is_some_and(|bot| bot.wanted == Some(0));
        self.is_there(bot, now) && !refuses
    }

    /// The number of the last event so far.
    pub(super) fn last_event(&self) -> u64 {
        self.next_event.saturating_sub(1)
    }

    /// Returns true if a game of a bot is open.
    pub(super) fn has_games(&self, bot: &str) -> bool {
        self.bots.get(bot).is_some_and(|bot| !bot.games.is_empty())
    }

    /// Ends the requests whose time or grace is over, and says when to look again.
    pub(super) fn look(&mut self, now: Instant) -> Option<Instant> {
        let begun = self.begun;
        self.bots.values_mut().filter_map(|bot| bot.look(begun, now)).min()
    }

    /// The same for the requests of one bot.
    pub(super) fn look_at(&mut self, bot: &str, now: Instant) -> Option<Instant> {
        let begun = self.begun;
        self.bots.get_mut(bot)?.look(begun, now)
    }
}

impl RemoteBot {
    fn close_poll(&mut self, now: Instant) {
        (self.poll, self.seen) = (None, Some(now));
    }

    fn end(&mut self, id: String, end: EndOfRequest) {
        self.ended.push_back(EndedRequest { id, end });
        if self.ended.len() > ENDED {
            self.ended.pop_front();
        }
    }

    /// An answer to a request that has ended.
    fn answer_again(&self, id: &str, answer: &str) -> Result<AnswerState, RefusedAnswer> {
        let ended = self.ended.iter().rev().find(|ended| ended.id == id);
        match ended.ok_or(RefusedAnswer::Unknown)?.end {
            EndOfRequest::TimeUp => Ok(AnswerState::Late),
            EndOfRequest::Closed => Ok(AnswerState::Closed),
            EndOfRequest::Answered(first) if first == self.hasher.hash_one(answer) => {
                Ok(AnswerState::Repeated)
            }
            EndOfRequest::Answered(_) => Err(RefusedAnswer::Another),
        }
    }

    /// The number of games in which the client is being asked, at this time.
    fn count_asked_games(&self) -> usize {
        let is_sent = |game: &&OpenGame| game.request.as_ref().is_some_and(|it| it.sent.is_some());
        self.games.values().filter(is_sent).count()
    }

    /// The last sign of life of the client: now, if it polls or works on a request.
    fn last_seen(&self, begun: Instant, now: Instant) -> Instant {
        let works = self.games.values().filter_map(OpenGame::deadline).any(|until| now <= until);
        match self.poll.is_some() || works {
            true => now,
            false => {
                let ends = self.games.values().filter_map(OpenGame::deadline);
                ends.chain(self.seen).chain([begun]).max().unwrap_or(begun)
            }
        }
    }

    fn take_requests(&mut self, now: Instant) -> Vec<SentRequest> {
        let mut asked = self.count_asked_games();
        let wanted = self.wanted;
        let (mut taken, mut bytes) = (Vec::new(), 0);
        for (number, game) in &mut self.games {
            let most = match (wanted, game.is_taken) {
                // It wants no new games, and ends those that it has.
                (Some(0), false) => continue,
                (Some(0) | None, _) => game.most,
                (Some(wanted), _) => wanted.min(game.most),
            };
            let Some(request) = &mut game.request else { continue };
            // A game that has begun waits for no other: else a client could put its thinking off.
            let is_new = !game.is_taken;
            if !request.is_due || (is_new && asked >= most as usize) {
                continue;
            }
            if !taken.is_empty() && bytes + request.ask.request.len() > MOST_TAKEN {
                break;
            }
            bytes += request.ask.request.len();
            request.is_due = false;
            if request.sent.is_none() {
                asked += 1;
                request.sent = Some(now);
                request.last_sent = Some(now);
            }
            game.is_taken = true;
            taken.push(SentRequest {
                id: request.id.clone(),
                game: game_name(*number),
                ms: whole_ms(request.ask.time),
                request: request.ask.request.clone(),
            });
        }
        taken
    }

    fn look(&mut self, begun: Instant, now: Instant) -> Option<Instant> {
        let seen = self.last_seen(begun, now);
        let is_alive = self.poll.is_some();
        let (seen_at, wanted) = (self.seen, self.wanted);
        let mut next: Option<Instant> = None;
        let mut ended = Vec::new();
        for game in self.games.values_mut() {
            let Some(request) = &game.request else { continue };
            let end = match request.sent {
                None => {
                    // The first request of a game does not renew the patience with a bot that is gone.
                    let from = match game.is_taken {
                        true => seen.max(request.asked),
                        false => seen,
                    };
                    let refuses = wanted == Some(0) && !game.is_taken;
                    let from = if refuses { request.asked } else { from };
                    let until = from + game.grace_left;
                    match until <= now {
                        true => Err(MessageFromHub::Lost { grace_ms: whole_ms(game.grace) }),
                        false => Ok(until),
                    }
                }
                Some(sent) => {
                    let until = sent + request.ask.time;
                    // A client that has polled since then lives, and is late.
                    let lives = is_alive || seen_at.is_some_and(|seen| seen > until);
                    let late = MessageFromHub::Late { ms: ms(now.saturating_duration_since(sent)) };
                    match (now > until, lives) {
                        (false, _) => Ok(until),
                        (true, true) => Err(late),
                        (true, false) if now > until + game.grace_left => {
                            Err(MessageFromHub::Lost { grace_ms: whole_ms(game.grace) })
                        }
                        (true, false) => Ok(until + game.grace_left),
                    }
                }
            };
            match end {
                Ok(until) => next = Some(next.map_or(until, |next| next.min(until))),
                Err(message) => {
                    let _ = game.player.send(message);
                    ended.extend(game.request.take().map(|request| request.id));
                }
            }
        }
        ended.into_iter().for_each(|id| self.end(id, EndOfRequest::TimeUp));
        next
    }
}

impl OpenGame {
    fn has(&self, id: &str) -> bool {
        self.request.as_ref().is_some_and(|request| request.id == id)
    }

    fn deadline(&self) -> Option<Instant> {
        let request = self.request.as_ref()?;
        Some(request.sent? + request.ask.time)
    }

    /// Takes the wait of a request for a poll from the grace; the client was seen last at this time.
    fn charge_wait(&mut self, seen: Instant, refused: bool, now: Instant) {
        // A client that wants no new games is there, and keeps them waiting all the same.
        let is_refused = refused && !self.is_taken;
        let Some(request) = self.request.as_mut().filter(|request| request.sent.is_none()) else {
            return;
        };
        let from = if is_refused { request.asked } else { request.asked.max(seen) };
        let waited = now.saturating_duration_since(from);
        (self.grace_left, request.asked) = (self.grace_left.saturating_sub(waited), now);
    }

    /// Sends a request again that was sent before and on which the client does not work.
    fn send_again(&mut self, working: &HashSet<&str>, now: Instant) {
        let Some(request) = &mut self.request else { return };
        let Some(sent) = request.sent else { return };
        if working.contains(request.id.as_str()) {
            return;
        }
        request.is_due = true;
        if let Some(left) = self.grace_left.checked_sub(now.saturating_duration_since(sent)) {
            // Its clock starts again when it is taken.
            (self.grace_left, request.sent, request.asked) = (left, None, now);
        }
    }
}

fn game_name(game: GameNumber) -> String {
    format!("game {game}")
}

fn ms(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

fn whole_ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The beginning of a text, of at most so many bytes.
fn cut(text: &str, most: usize) -> &str {
    let most = (0..=most.min(text.len())).rev().find(|most| text.is_char_boundary(*most));
    &text[..most.unwrap_or(0)]
}
