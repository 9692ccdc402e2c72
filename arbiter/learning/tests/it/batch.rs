//! A batch equals separate episodes, on any number of threads.

use std::num::NonZeroUsize;

use learning::{Batch, EpisodeError, Opponent, StepOutput};
use rules::GameKind;

use crate::{GAMES, episode, seed};

/// The rows that a batch tells.
#[derive(Debug, PartialEq)]
struct BatchState {
    observations: Vec<i8>,
    masks: Vec<i8>,
    seats: Vec<i8>,
    scores: Vec<f32>,
    ended: Vec<bool>,
}

impl BatchState {
    fn read(batch: &mut Batch, actions: Option<&[usize]>) -> Result<BatchState, EpisodeError> {
        let (layout, size) = (batch.layout().clone(), batch.size());
        let mut state = BatchState {
            observations: vec![0; size * layout.columns.len()],
            masks: vec![0; size * layout.actions.len()],
            seats: vec![0; size],
            scores: vec![0.0; size * layout.seats],
            ended: vec![false; size],
        };
        let stepped = StepOutput {
            observations: &mut state.observations,
            masks: &mut state.masks,
            seats: &mut state.seats,
            scores: &mut state.scores,
            ended: &mut state.ended,
        };
        match actions {
            Some(actions) => batch.step(actions, stepped)?,
            None => batch.observe(stepped)?,
        }
        Ok(state)
    }
}

fn batch(game: &str, options: &str, size: usize, threads: usize) -> Batch {
    let kind: GameKind = game.parse().expect("a game");
    let threads = NonZeroUsize::new(threads).expect("a number of threads");
    Batch::new(&kind, options, &seed(), size, None, threads).expect("a batch")
}

#[test]
fn a_batch_is_as_many_episodes() {
    const SIZE: usize = 5;
    for (game, options) in GAMES {
        let mut batch = batch(game, options, SIZE, 1);
        let mut episodes: Vec<_> =
            (0..SIZE).map(|it| (it as u64, episode(game, options, it as u64))).collect();
        let layout = batch.layout().clone();
        let mut ended = 0;
        let mut state = BatchState::read(&mut batch, None).expect("where the games stand");
        for _ in 0..200 {
            let actions = batch.random_actions();
            let all = actions.iter().zip(&mut episodes).enumerate();
            let mut scores = vec![0.0; SIZE * layout.seats];
            for (place, (action, (deal, episode))) in all {
                let seat = episode.to_move().expect("a seat is to move");
                let mut row = vec![0; layout.columns.len()];
                episode.observe(seat, &mut row);
                let columns = place * row.len()..(place + 1) * row.len();
                assert_eq!(state.observations[columns], row);
                assert_eq!(state.seats[place] as usize, seat.index());
                let mask = &state.masks[place * layout.actions.len()..][..layout.actions.len()];
                let legal = (0..mask.len()).filter(|action| mask[*action] == 1);
                let mut expected: Vec<usize> =
                    episode.legal_actions().iter().map(|action| usize::from(*action)).collect();
                expected.sort_unstable();
                assert!(legal.eq(expected));
                episode.act(*action).expect("it is legal");
                if let Some(reached) = episode.scores() {
                    for (seat, score) in reached.iter() {
                        scores[place * layout.seats + seat.index()] = score.as_f64() as f32;
                    }
                    *deal += SIZE as u64;
                    episode.begin(*deal).expect("another deal");
                    ended += 1;
                }
            }
            state = BatchState::read(&mut batch, Some(&actions)).expect("a step");
            assert_eq!(state.scores, scores, "{game} {options}");
        }
        assert!(ended > 0, "{game} {options}");
    }
}

#[test]
fn threads_change_nothing() {
    for (game, options) in GAMES {
        let mut batches = [1, 2, 5].map(|threads| batch(game, options, 150, threads));
        for _ in 0..40 {
            let actions = batches.each_mut().map(Batch::random_actions);
            assert!(actions[0] == actions[1] && actions[1] == actions[2]);
            let state = batches
                .each_mut()
                .map(|batch| BatchState::read(batch, Some(&actions[0])).expect("a step"));
            assert!(state[0] == state[1] && state[1] == state[2], "{game} {options}");
        }
    }
}

#[test]
fn an_illegal_action_moves_no_game() {
    let mut batch = batch("coup", "", 4, 1);
    let before = BatchState::read(&mut batch, None).expect("where the games stand");
    let mut actions = batch.random_actions();
    actions[3] = 999;
    let problem = BatchState::read(&mut batch, Some(&actions)).expect_err("it is not legal");
    assert!(problem.to_string().starts_with("game 3: action 999 is not legal here"), "{problem}");
    assert_eq!(BatchState::read(&mut batch, None).expect("where the games stand"), before);
    let problem = BatchState::read(&mut batch, Some(&actions[..3])).expect_err("one is missing");
    assert_eq!(problem.to_string(), "3 actions for 4 games, expected one for each");
}

#[test]
fn a_learner_is_asked_on_its_own_seat_alone() {
    let kind: GameKind = "coup".parse().expect("a game");
    let greedy = Opponent { program: "greedy".into(), options: Vec::new(), learner: None };
    let mut batch =
        Batch::new(&kind, "", &seed(), 6, Some(&greedy), NonZeroUsize::MIN).expect("a batch");
    let mut deals: Vec<usize> = (0..6).collect();
    let mut state = BatchState::read(&mut batch, None).expect("where the games stand");
    for _ in 0..300 {
        for (place, deal) in deals.iter_mut().enumerate() {
            if state.ended[place] {
                *deal += 6;
            }
            // Six games are three pairs of deals, so each game keeps its seat.
            assert_eq!(state.seats[place] as usize, *deal % 2);
        }
        let actions = batch.random_actions();
        state = BatchState::read(&mut batch, Some(&actions)).expect("a step");
    }
}

#[test]
fn a_batch_has_at_least_one_game() {
    let kind: GameKind = "coup".parse().expect("a game");
    let made = Batch::new(&kind, "", &seed(), 0, None, NonZeroUsize::MIN);
    let problem = made.err().expect("no game").to_string();
    assert_eq!(problem, "0 games at once, expected 1 to 1048576");
}
