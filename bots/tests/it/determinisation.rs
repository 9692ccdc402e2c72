//! Worlds drawn from a request, of all games and from both sources.

use std::fmt::Debug;

use bots::coup::Coup;
use bots::durak::Durak;
use bots::durak::search::knowledge::RootKnowledge;
use bots::tablic::Tablic;
use bots::{AnyPlayer, NoMove, Player, Players};
use rules::{Entry, GameTerms, Request, Resample, Seed, Turn, Verdict};
use search::{InformationState, WorldSampler};
use simulation::{TIME, play};

const WORLDS: u32 = 4;

/// Shows every request to `watch`, and answers it at random.
struct Watched<G: Players> {
    player: AnyPlayer<G>,
    watch: fn(&Request<G>),
}

impl<G: Players> Player<G> for Watched<G> {
    fn choose(&mut self, request: &Request<G>) -> Result<G::Move, NoMove> {
        (self.watch)(request);
        self.player.choose(request)
    }
}

/// Watches the requests of a few random games.
fn watch<G: Players>(options: &str, watch: fn(&Request<G>)) {
    let options: G::Options = options.parse().expect("options");
    let seats = G::new(&options).seats();
    let seed = Seed([3; 32]);
    for game in 0..5 {
        let terms = GameTerms::even(seed.name(game), seats, TIME, seed.bots(game));
        let player = || G::player("random", &[]).expect("a player");
        let players = (0..seats).map(|_| Box::new(Watched { player: player(), watch }) as _);
        play(&options, &terms, &mut seed.nature(game), players.collect()).expect("a game");
    }
}

/// The worlds of a request, from its own seed.
fn drawn<G: Players, D: WorldSampler<World: Debug>>(
    request: &Request<G>,
    known: &D,
) -> Vec<String> {
    let mut nature = request.heading.seed.nature();
    known.worlds(WORLDS, &mut nature).map(|world| format!("{world:?}")).collect()
}

fn are_as_asked_for<G: Players, D: WorldSampler<World: Debug>>(request: &Request<G>, known: &D) {
    let worlds = drawn(request, known);
    assert_eq!(worlds.len(), WORLDS as usize, "{request}");
    assert_eq!(drawn(request, known), worlds, "{request}");
}

/// In every world of the rules the seat is asked just this.
fn fit<G: Players + Resample>(request: &Request<G>) {
    let known = InformationState::read(request);
    are_as_asked_for(request, &known);
    let seat = request.heading.seat;
    for world in known.worlds(WORLDS, &mut request.heading.seed.nature()) {
        assert_eq!(world.view(seat), request.view);
        assert!(matches!(world.turn(), Turn::Seat(asked) if asked == seat));
        let mut legal = Vec::new();
        assert_eq!(world.legal_moves(&mut legal), request.listing);
        assert_eq!(legal, request.legal);
    }
    let mut with_fault = request.clone();
    with_fault.history.push(Entry::Out(seat, Verdict::Crash));
    let without = drawn(request, &known);
    assert_eq!(drawn(request, &InformationState::read(&with_fault)), without);
}

#[test]
fn worlds_of_the_rules_fit_every_request() {
    watch::<Tablic>("seats=2", fit);
    watch::<Tablic>("seats=4", fit);
    watch::<Coup>("", fit);
    watch::<Durak>("seats=2 transfer=on", fit);
    watch::<Durak>("seats=4 deck=24", fit);
}

#[test]
fn worlds_of_a_search_are_drawn_the_same_again() {
    let watched = |request: &Request<Durak>| {
        are_as_asked_for(request, &RootKnowledge::read(request).expect("a request"));
    };
    watch::<Durak>("seats=3", watched);
}
