package dev.cleave.config;

import dev.cleave.config.Linkage.Share;
import dev.cleave.config.LoadCondition.Comparison;
import dev.cleave.config.LoadCondition.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the linkage expressions of the CORD paper (Lee and Purtilo, section 3.2.3):
 *
 * <pre>
 *   linkage    = side { "#" side } [ ":" "[" share "]" ]
 *   side       = (replica | "*") [ "(" condition { "," condition } ")" ]
 *   condition  = ("oc" | "uc") (":" | "=") [ "(" ] comparison { ("&amp;&amp;" | "||") comparison } [ ")" ]
 *   comparison = "load" (">=" | ">" | "==" | "!=" | "&lt;=" | "&lt;") number
 *   share      = number [ "/" number ]
 * </pre>
 *
 * A replica's conditions hold for the links on both sides of it; a chain that returns to its first replica is a circle;
 * {@code *} alone links every two replicas. One reader reads the linkages of one service, and refuses a link that is
 * described twice.
 */
final class LinkageText {

    private static final String ALL = "*";
    private static final Share HALF = new Share(1, 2);
    private static final List<String> CONDITIONS = List.of("oc", "uc");
    private static final List<String> OPERATORS =
            Arrays.stream(Operator.values()).map(Operator::text).toList();

    private final List<String> replicas;
    private final Set<List<String>> ways = new LinkedHashSet<>();

    LinkageText(List<ReplicaBinding> replicas) {
        this.replicas = replicas.stream().map(ReplicaBinding::name).toList();
    }

    /** The conditions of one replica in one expression. */
    private record Side(
            LinkageTokens.Token name,
            @Nullable LoadCondition overload,
            @Nullable LoadCondition underload) {

        boolean isBare() {
            return overload == null && underload == null;
        }
    }

    /** Returns the links that an expression describes. */
    List<Linkage> read(String text) {
        LinkageTokens in = new LinkageTokens(text);
        List<Side> sides = new ArrayList<>();
        do {
            sides.add(side(in));
        } while (in.skip("#"));
        Share share = in.skip(":") ? share(in) : HALF;
        in.end();
        List<Side> chain = isAll(in, sides) ? List.of() : known(in, sides);
        return chain.isEmpty() ? everyTwo(in, sides.get(0), share) : pairs(in, chain, share);
    }

    private boolean isAll(LinkageTokens in, List<Side> sides) {
        boolean isNamed = sides.stream().anyMatch(side -> side.name.text().equals(ALL));
        if (isNamed && sides.size() > 1) {
            throw in.mistake("* beside others (expected: * alone, which links every two replicas)");
        }
        if (!isNamed && sides.size() == 1) {
            throw in.mistake("one replica (expected: two or more, such as a # b)");
        }
        return isNamed;
    }

    /** Checks the names; the last side of a circle gets the conditions of the first. */
    private List<Side> known(LinkageTokens in, List<Side> sides) {
        Map<String, Side> seen = new LinkedHashMap<>();
        List<Side> chain = new ArrayList<>();
        for (int i = 0; i < sides.size(); i++) {
            Side side = sides.get(i);
            String name = side.name.text();
            if (!replicas.contains(name)) {
                throw in.mistake("unknown replica", side.name, replicas);
            }
            Side before = seen.putIfAbsent(name, side);
            boolean closes = before == sides.get(0) && i == sides.size() - 1 && i > 2;
            if (before != null && !(closes && side.isBare())) {
                throw in.mistake(name + " given twice" + in.at(side.name)
                        + " (expected: each replica once; a circle ends with the name of its first of at least three)");
            }
            chain.add(before == null ? side : before);
        }
        return chain;
    }

    private List<Linkage> pairs(LinkageTokens in, List<Side> chain, Share share) {
        List<Linkage> linkages = new ArrayList<>();
        for (int i = 1; i < chain.size(); i++) {
            Side left = chain.get(i - 1);
            Side right = chain.get(i);
            if (left.isBare() && right.isBare()) {
                throw in.mistake("no condition between " + left.name.text() + " and " + right.name.text()
                        + " (expected: oc or uc at one of them, or nothing would ever move)");
            }
            add(in, linkages, left, right, share);
            add(in, linkages, right, left, share);
        }
        return linkages;
    }

    private List<Linkage> everyTwo(LinkageTokens in, Side all, Share share) {
        if (all.isBare()) {
            throw in.mistake("no condition (expected: oc or uc, or nothing would ever move)");
        }
        if (replicas.size() < 2) {
            throw in.mistake("* of " + replicas.size() + " replicas (expected: two or more in replicas:)");
        }
        List<Linkage> linkages = new ArrayList<>();
        for (String owner : replicas) {
            for (String receiver : replicas) {
                if (!owner.equals(receiver)) {
                    add(in, linkages, new Linkage(owner, receiver, all.overload, all.underload, share));
                }
            }
        }
        return linkages;
    }

    private void add(LinkageTokens in, List<Linkage> to, Side owner, Side receiver, Share share) {
        if (owner.overload != null || receiver.underload != null) {
            add(
                    in,
                    to,
                    new Linkage(owner.name.text(), receiver.name.text(), owner.overload, receiver.underload, share));
        }
    }

    private void add(LinkageTokens in, List<Linkage> to, Linkage linkage) {
        if (!ways.add(List.of(linkage.owner(), linkage.receiver()))) {
            throw in.mistake("the way from " + linkage.owner() + " to " + linkage.receiver()
                    + " is described twice (expected: once)");
        }
        to.add(linkage);
    }

    private static Side side(LinkageTokens in) {
        LinkageTokens.Token name = in.word("a replica's name, or *");
        LoadCondition overload = null;
        LoadCondition underload = null;
        if (in.skip("(")) {
            do {
                LinkageTokens.Token kind = in.word("oc or uc");
                boolean isOverload = kind.text().equals("oc");
                if (!CONDITIONS.contains(kind.text())) {
                    throw in.mistake("unknown condition", kind, CONDITIONS);
                }
                if ((isOverload ? overload : underload) != null) {
                    throw in.mistake(kind.text() + " given twice" + in.at(kind) + " (expected: once)");
                }
                in.expect(":", "=");
                LoadCondition condition = condition(in);
                if (isOverload && condition.holds(0)) {
                    throw in.mistake("oc holds at load 0" + in.at(kind)
                            + " (expected: a condition that only a replica with work meets, such as load >= 10)");
                }
                overload = isOverload ? condition : overload;
                underload = isOverload ? underload : condition;
            } while (in.skip(","));
            in.expect(")");
        }
        return new Side(name, overload, underload);
    }

    private static LoadCondition condition(LinkageTokens in) {
        boolean isWrapped = in.skip("(");
        List<List<Comparison>> anyOf = new ArrayList<>();
        do {
            List<Comparison> all = new ArrayList<>();
            do {
                all.add(comparison(in));
            } while (in.skip("&&"));
            anyOf.add(all);
        } while (in.skip("||"));
        if (isWrapped) {
            in.expect(")");
        }
        return new LoadCondition(anyOf);
    }

    private static Comparison comparison(LinkageTokens in) {
        LinkageTokens.Token load = in.word("load");
        if (!load.text().equals("load")) {
            throw in.mistake("unknown word", load, List.of("load"));
        }
        String operator = in.expect(OPERATORS.toArray(new String[0]));
        return new Comparison(Operator.values()[OPERATORS.indexOf(operator)], in.number(0, LoadCondition.MOST));
    }

    private static Share share(LinkageTokens in) {
        in.expect("[");
        int numerator = in.number(1, Share.MOST);
        int denominator = in.skip("/") ? in.number(1, Share.MOST) : 0;
        if (denominator > 0 && numerator > denominator) {
            throw in.mistake(numerator + "/" + denominator + " (expected: a part of at most 1, such as 1/2)");
        }
        in.expect("]");
        return new Share(numerator, denominator);
    }
}
