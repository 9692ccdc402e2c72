//! Custom games: their check, their starters, and one game by both carriers.

mod carriers;
mod check;
mod faults;
mod new;
