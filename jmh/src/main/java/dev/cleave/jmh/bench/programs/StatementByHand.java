package dev.cleave.jmh.bench.programs;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.programs.Threads.Task;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@link Statement} by hand: what is remembered is the call. */
final class StatementByHand {

    private StatementByHand() {}

    static String staged(Ledger ledger, Bank bank, int payments) {
        List<Pending<Ledger.Payment>> all = new ArrayList<>();
        for (int i = 0; i < payments; i++) {
            int number = i;
            all.add(Cleave.async(() -> ledger.payment(number)));
        }
        Map<String, Pending<Double>> rates = new HashMap<>();
        List<Pending<Double>> used = new ArrayList<>();
        for (Pending<Ledger.Payment> payment : all) {
            String of = payment.await().currency();
            used.add(rates.computeIfAbsent(of, currency -> Cleave.async(() -> bank.rate(currency))));
        }
        StringBuilder out = new StringBuilder();
        double total = 0;
        for (int number = 0; number < payments; number++) {
            double euro = all.get(number).await().amount() * used.get(number).await();
            out.append(number).append(' ').append(euro).append('\n');
            total += euro;
        }
        return out.append("all ").append(total).append('\n').toString();
    }

    static String threaded(Threads threads, Ledger ledger, Bank bank, int payments) {
        List<Task<Ledger.Payment>> all = new ArrayList<>();
        for (int i = 0; i < payments; i++) {
            int number = i;
            all.add(threads.start(() -> ledger.payment(number)));
        }
        Map<String, Task<Double>> rates = new HashMap<>();
        List<Task<Double>> used = new ArrayList<>();
        for (Task<Ledger.Payment> payment : all) {
            String of = payment.join().currency();
            used.add(rates.computeIfAbsent(of, currency -> threads.start(() -> bank.rate(currency))));
        }
        StringBuilder out = new StringBuilder();
        double total = 0;
        for (int number = 0; number < payments; number++) {
            double euro = all.get(number).join().amount() * used.get(number).join();
            out.append(number).append(' ').append(euro).append('\n');
            total += euro;
        }
        return out.append("all ").append(total).append('\n').toString();
    }
}
