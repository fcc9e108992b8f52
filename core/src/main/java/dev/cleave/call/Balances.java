package dev.cleave.call;

import dev.cleave.config.Balance;
import dev.cleave.replica.BalancePolicies;
import dev.cleave.replica.BalancePolicy;
import java.util.random.RandomGenerator;

/** Makes the policies that application files name: the same for clients and for the broker. */
public final class Balances {

    private Balances() {}

    /**
     * Creates the load balancing policy of one service.
     *
     * @param random source of its first choice and of later random ones
     * @throws IllegalArgumentException if the policy is a class that cannot be loaded
     */
    public static BalancePolicy policy(Balance balance, RandomGenerator random) {
        if (balance instanceof Balance.RoundRobin) {
            return BalancePolicies.roundRobin(random.nextInt());
        } else if (balance instanceof Balance.StaticRatio ratio) {
            return BalancePolicies.staticRatio(ratio.weights());
        } else if (balance instanceof Balance.Demand demand) {
            return BalancePolicies.demand(demand.window());
        } else if (balance instanceof Balance.Pull pull) {
            return BalancePolicies.pull(pull.group());
        } else if (balance instanceof Balance.Chosen chosen) {
            return BalancePolicies.selection(Selections.make(chosen));
        } else if (balance instanceof Balance.LeastLoaded) {
            return BalancePolicies.leastLoaded(random);
        } else if (balance instanceof Balance.Learned) {
            return BalancePolicies.learned();
        } else if (balance instanceof Balance.Affinity) {
            return BalancePolicies.affinity();
        }
        throw new AssertionError(balance);
    }
}
