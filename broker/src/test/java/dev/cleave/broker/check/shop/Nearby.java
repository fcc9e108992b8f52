package dev.cleave.broker.check.shop;

import dev.cleave.Selection;
import java.util.List;

/** Chooses replicas. */
public final class Nearby implements Selection {

    @Override
    public String select(List<Candidate> candidates, Object key) {
        return candidates.get(0).name();
    }
}
