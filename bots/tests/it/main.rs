//! All tests of this package, in one program.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod asked;
mod coup {
    mod court;
    mod expert;
    mod expert_player;
    mod minimax;
    mod players;
    mod review;
    mod sample_game;
}
mod decisions;
mod determinisation;
mod durak {
    mod expert;
    mod greedy;
    mod in_process;
    mod minimax;
    mod minimax_endgame;
    mod minimax_rules;
    mod players;
    mod review;
}
mod games_apart;
mod in_process;
mod programs {
    mod answers;
    mod requests;
}
mod samples;
mod tablic {
    mod expert;
    mod greedy;
    mod luck;
    mod minimax_knowledge;
    mod minimax_player;
    mod minimax_search;
    mod minimax_situation;
    mod minimax_time;
    mod random;
    mod review;
}
mod unread_parts;
