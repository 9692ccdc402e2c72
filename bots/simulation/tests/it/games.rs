//! Games in one process: the same as under the referee, in any order of seats and however many
//! threads there are.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use bots::tablic::Tablic;
use bots::{AnyPlayer, NoMove, Player, Players, programs};
use rules::tablic::{Move, Options};
use rules::{Answer, GameKind, GameTerms, PerSeat, Referee, Request, Score, Seed, Step};
use simulation::{
    BuiltInPlayer, SeatOrder, SimulatedGame, Simulation, SimulationError, TIME, play,
};

const SEED: Seed = Seed([9; 32]);

/// A simulation of Tablić between these programs.
fn simulation(programs: &[&str], order: SeatOrder, deals: u64) -> Simulation {
    let player = |program: &&str| BuiltInPlayer {
        name: (*program).to_owned(),
        program: (*program).to_owned(),
        options: Vec::new(),
    };
    Simulation {
        kind: GameKind::of::<Tablic>(),
        options: format!("seats={}", programs.len()),
        players: programs.iter().map(player).collect(),
        order,
        deals,
        seed: SEED,
    }
}

fn run(simulation: &Simulation, workers: usize) -> Vec<SimulatedGame> {
    let mut all = Vec::new();
    let workers = NonZeroUsize::new(workers).unwrap();
    simulation.run(workers, &mut |played| all.push(played.clone())).unwrap();
    all
}

/// Writes down the text of each request, and answers it as another player does.
struct Recorder {
    player: AnyPlayer<Tablic>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Player<Tablic> for Recorder {
    fn choose(&mut self, request: &Request<Tablic>) -> Result<Move, NoMove> {
        self.requests.lock().unwrap().push(request.to_string());
        let mv = self.player.choose(request);
        assert_eq!(self.player.choose(request), mv, "not determined by the request");
        mv
    }
}

/// The requests and the events of a game under the referee.
fn under_referee(programs: &[&str], terms: &GameTerms, deal: u64) -> (Vec<String>, Vec<String>) {
    let options = format!("seats={}", programs.len());
    let mut referee = Referee::new(&GameKind::of::<Tablic>(), &options, terms.clone()).unwrap();
    let mut players: Vec<_> = programs
        .iter()
        .map(|program| programs::player(&GameKind::of::<Tablic>(), program, &[]).unwrap())
        .collect();
    let mut nature = SEED.nature(deal);
    let mut requests = Vec::new();
    loop {
        match referee.step() {
            Step::Nature(draw) => draw.draw(&mut nature),
            Step::Moved => {}
            Step::Ask(question) => {
                let request = question.request();
                let mv = players[question.seat().index()].answer(&request).unwrap();
                requests.push(request);
                question.answer(Answer::Output(mv.into_bytes()));
            }
            Step::Over(_) => return (requests, referee.history(0)),
        }
    }
}

#[test]
fn players_are_asked_what_the_referee_asks_byte_for_byte() {
    for (deal, programs) in
        [&["random", "greedy"][..], &["greedy", "random", "random"], &["random"; 48]]
            .into_iter()
            .enumerate()
    {
        let deal = deal as u64;
        let terms = GameTerms::even(SEED.name(deal), programs.len(), TIME, SEED.bots(deal));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let recorder = |program: &&str| -> AnyPlayer<Tablic> {
            let player = Tablic::player(program, &[]).unwrap();
            Box::new(Recorder { player, requests: Arc::clone(&requests) })
        };
        let players = programs.iter().map(recorder).collect();
        let options: Options = format!("seats={}", programs.len()).parse().unwrap();
        let finished = play(&options, &terms, &mut SEED.nature(deal), players).unwrap();
        let events: Vec<String> = finished.events.iter().map(ToString::to_string).collect();
        let asked = requests.lock().unwrap().clone();
        assert_eq!((asked, events), under_referee(programs, &terms, deal), "{programs:?}");
    }
}

#[test]
fn greedy_wins_clearly_against_random() {
    let mut won = 0;
    let mut points = [Score::ZERO; 2];
    for played in run(&simulation(&["greedy", "random"], SeatOrder::Rotate, 200), 2) {
        let by_player = by_player(&played, &played.scores);
        won += u32::from(by_player[0] > by_player[1]);
        points[0] += by_player[0];
        points[1] += by_player[1];
    }
    assert!(won >= 390, "greedy won only {won} of 400 games, {points:?}");
}

fn by_player<T: Clone>(played: &SimulatedGame, values: &PerSeat<T>) -> Vec<T> {
    let mut seats: Vec<_> = played.seating.iter().collect();
    seats.sort_by_key(|(_, player)| **player);
    seats.into_iter().map(|(seat, _)| values[seat].clone()).collect()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let simulation = simulation(&["greedy", "random", "random"], SeatOrder::Random, 40);
    let one = run(&simulation, 1);
    assert_eq!(one.len(), 40);
    for workers in [2, 8] {
        assert_eq!(run(&simulation, workers), one, "{workers} threads");
    }
}

fn seatings(order: SeatOrder, deals: u64) -> Vec<(u64, Vec<usize>)> {
    let played = run(&simulation(&["random"; 3], order, deals), 2);
    played.iter().map(|played| (played.deal, played.seating.values().to_vec())).collect()
}

#[test]
fn orders_say_who_sits_where() {
    assert_eq!(seatings(SeatOrder::Fixed, 2), [(0, vec![0, 1, 2]), (1, vec![0, 1, 2])]);
    assert_eq!(seatings(SeatOrder::Reversed, 2), [(0, vec![2, 1, 0]), (1, vec![2, 1, 0])]);
    let rotations = [vec![0, 1, 2], vec![1, 2, 0], vec![2, 0, 1]];
    let rotated: Vec<_> =
        (0..2).flat_map(|deal| rotations.clone().map(|order| (deal, order))).collect();
    assert_eq!(seatings(SeatOrder::Rotate, 2), rotated);
}

#[test]
fn a_random_order_is_any_of_all_and_follows_from_the_seed() {
    let orders = seatings(SeatOrder::Random, 200);
    assert_eq!(orders, seatings(SeatOrder::Random, 200));
    let orders: Vec<Vec<usize>> = orders.into_iter().map(|(_, order)| order).collect();
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let times = orders.iter().filter(|drawn| **drawn == order).count();
        assert!((15..=55).contains(&times), "{order:?} comes {times} times in 200");
    }
    assert_eq!(orders[..3], [[2, 0, 1], [1, 0, 2], [1, 0, 2]], "a seed gives the same for ever");
}

#[test]
fn every_player_meets_the_same_cards_on_every_seat() {
    let duplicate = simulation(&["greedy", "greedy"], SeatOrder::Rotate, 5);
    let fixed = simulation(&["greedy", "greedy"], SeatOrder::Fixed, 5);
    for deal in 0..5 {
        let once = fixed.events(deal).unwrap();
        assert_eq!(duplicate.events(2 * deal).unwrap(), once);
        assert_eq!(duplicate.events(2 * deal + 1).unwrap(), once, "the same on other seats");
    }
    assert_eq!((duplicate.games_per_deal(), duplicate.games()), (2, 10));
    assert_eq!((fixed.games_per_deal(), fixed.games()), (1, 5));
}

#[test]
fn mistakes_are_reported_before_the_first_game() {
    let failure = |simulation: &Simulation| {
        let mut games = 0;
        let failed = simulation.run(NonZeroUsize::MIN, &mut |_| games += 1).unwrap_err();
        assert_eq!(games, 0);
        failed.to_string()
    };
    let fine = simulation(&["random", "greedy"], SeatOrder::Fixed, 1);
    let few = Simulation { options: "seats=3".to_owned(), ..fine.clone() };
    assert_eq!(failure(&few), "3 seats and 2 players, expected one player for each seat");
    let odd = Simulation { options: "seats=5".to_owned(), ..fine.clone() };
    assert!(matches!(odd.run(NonZeroUsize::MIN, &mut |_| {}), Err(SimulationError::Options(_))));
    let unknown = simulation(&["random", "perfect"], SeatOrder::Fixed, 1);
    assert_eq!(
        failure(&unknown),
        "bot `perfect`: no player of tablic is called `perfect`, expected one such as `greedy`"
    );
    let mut wrong = fine;
    wrong.players[1].options = vec!["--depth".to_owned()];
    assert_eq!(failure(&wrong), "bot `greedy`: unknown argument `--depth`");
}

/// Lays down a card that it does not hold.
struct Cheat;

impl Player<Tablic> for Cheat {
    fn choose(&mut self, request: &Request<Tablic>) -> Result<Move, NoMove> {
        let mut others = rules::CardSet::PACK - request.view.hand;
        let card = request.heading.seed.nature().draw(&mut others).ok_or(NoMove)?;
        Ok(Move::lay_down(card))
    }
}

#[test]
fn an_illegal_move_ends_a_game_with_an_error() {
    let terms = GameTerms::even(SEED.name(0), 2, TIME, SEED.bots(0));
    let players: Vec<AnyPlayer<Tablic>> =
        vec![Tablic::player("greedy", &[]).unwrap(), Box::new(Cheat)];
    let stuck = play(&Options::default(), &terms, &mut SEED.nature(0), players).unwrap_err();
    let text = stuck.to_string();
    assert!(text.starts_with("seat 1 at move 1 played `"), "{text}");
    assert!(text.ends_with("is not in the hand"), "{text}");
}
