//! Systems of linear equations with a positive definite matrix.
//!
//! They are small, and a library would choose its order of operations by the processor, so the last
//! digits would not be the same everywhere.

/// A symmetric matrix, kept as its lower triangle, row by row.
#[derive(Debug, Clone)]
pub(crate) struct Symmetric {
    size: usize,
    entries: Vec<f64>,
}

impl Symmetric {
    pub(super) fn zero(size: usize) -> Symmetric {
        Symmetric { size, entries: vec![0.0; size * size] }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// Adds to the entry at this row and column, and to its mirror image.
    pub(super) fn add(&mut self, row: usize, column: usize, amount: f64) {
        let (row, column) = (row.max(column), row.min(column));
        self.entries[row * self.size + column] += amount;
    }

    /// The factor of this matrix, which must be positive definite (Cholesky's method).
    ///
    /// A matrix that is positive definite up to rounding is taken as if its least pivots were not
    /// smaller than they can be told from 0.
    pub(super) fn factored(&self) -> Factor {
        let size = self.size;
        let mut entries = self.entries.clone();
        for row in 0..size {
            let (above, own) = entries.split_at_mut(row * size);
            let own = &mut own[..size];
            for column in 0..row {
                let other = &above[column * size..column * size + column + 1];
                let product = dot(&own[..column], &other[..column]);
                own[column] = (own[column] - product) / other[column];
            }
            let square = own[row] - dot(&own[..row], &own[..row]);
            own[row] = square.max(f64::EPSILON).sqrt();
        }
        Factor { size, entries }
    }
}

/// The lower triangle of which a positive definite matrix is the square.
#[derive(Debug, Clone)]
pub(super) struct Factor {
    size: usize,
    entries: Vec<f64>,
}

impl Factor {
    /// Solves the equations with this right hand side.
    pub(super) fn solution(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = right.to_vec();
        let row_of = |row: usize| &self.entries[row * self.size..row * self.size + row + 1];
        for row in 0..self.size {
            let own = row_of(row);
            solution[row] = (solution[row] - dot(&own[..row], &solution[..row])) / own[row];
        }
        for row in (0..self.size).rev() {
            let own = row_of(row);
            solution[row] /= own[row];
            let solved = solution[row];
            for (before, entry) in solution[..row].iter_mut().zip(own) {
                *before -= entry * solved;
            }
        }
        solution
    }
}

pub(super) fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved() {
        let mut matrix = Symmetric::zero(3);
        let entries = [(0, 0, 4.0), (1, 0, 2.0), (1, 1, 5.0), (0, 2, -2.0), (2, 1, 1.0)];
        entries.iter().for_each(|(row, column, entry)| matrix.add(*row, *column, *entry));
        matrix.add(2, 2, 6.0);
        let right = [4.0 + 4.0 - 6.0, 2.0 + 10.0 + 3.0, -2.0 + 2.0 + 18.0];
        let solution = matrix.factored().solution(&right);
        for (found, expected) in solution.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12, "{solution:?}");
        }
    }
}
