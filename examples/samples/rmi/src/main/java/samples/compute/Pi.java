package samples.compute;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.RoundingMode;

public class Pi implements Task<BigDecimal>, Serializable {

    private static final long serialVersionUID = 227L;

    private static final BigDecimal FOUR = BigDecimal.valueOf(4);

    private final int digits;

    public Pi(int digits) {
        this.digits = digits;
    }

    @Override
    public BigDecimal execute() {
        int scale = digits + 5;
        BigDecimal fifth = arctan(5, scale);
        BigDecimal rest = arctan(239, scale);
        return fifth.multiply(FOUR).subtract(rest).multiply(FOUR).setScale(digits, RoundingMode.HALF_UP);
    }

    private static BigDecimal arctan(int inverse, int scale) {
        BigDecimal x = BigDecimal.valueOf(inverse);
        BigDecimal square = x.multiply(x);
        BigDecimal power = BigDecimal.ONE.divide(x, scale, RoundingMode.HALF_EVEN);
        BigDecimal sum = power;
        for (int i = 1; power.signum() != 0; i++) {
            power = power.divide(square, scale, RoundingMode.HALF_EVEN);
            BigDecimal term = power.divide(BigDecimal.valueOf(2 * i + 1), scale, RoundingMode.HALF_EVEN);
            sum = i % 2 == 0 ? sum.add(term) : sum.subtract(term);
            if (term.signum() == 0) {
                break;
            }
        }
        return sum;
    }
}
