//! Mean and sample standard deviation, and nothing cleverer: tests and intervals come with the
//! statistics.

use serde::Serialize;

/// Mean ± std of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    /// Size of the sample.
    pub n: usize,
    /// Arithmetic mean; `None` for an empty sample.
    pub mean: Option<f64>,
    /// Sample standard deviation, divided by n − 1; `None` below two values.
    pub std: Option<f64>,
}

/// Summarises a sample. Sums run in the given order, so the same rows give the same bytes.
pub fn summarise(values: &[f64]) -> Summary {
    let n = values.len();
    let mean = (n > 0).then(|| values.iter().sum::<f64>() / n as f64);
    let std = mean.filter(|_| n > 1).map(|mean| {
        let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
        (squares / (n - 1) as f64).sqrt()
    });
    Summary { n, mean, std }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn std_divides_by_n_minus_one() {
        // Mean 5; squares 9+1+1+1+0+0+4+16 = 32; 32/7 = 4.571428…; root 2.138089…
        let s = summarise(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(s.mean, Some(5.0));
        assert!((s.std.unwrap() - 2.138_089_935_299_395).abs() < 1e-12);
    }

    #[test]
    fn one_value_has_no_std_and_none_no_mean() {
        assert_eq!(summarise(&[3.0]), Summary { n: 1, mean: Some(3.0), std: None });
        assert_eq!(summarise(&[]), Summary { n: 0, mean: None, std: None });
    }
}
