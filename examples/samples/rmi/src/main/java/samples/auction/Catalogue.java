package samples.auction;

import java.io.Serializable;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A value that holds remote objects wherever a value can. */
public record Catalogue(
        String title,
        Lot best,
        Lot[] lots,
        List<? extends Thing> things,
        Map<Lot, Long> prices,
        Set<Thing> all,
        Deque<Map.Entry<String, Lot>> entries)
        implements Serializable {}
