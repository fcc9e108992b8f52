package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;
import java.io.Serializable;

/** The users of a portal. */
@Remote
@Async
public interface Accounts {

    /**
     * An account.
     *
     * @param name the user's name
     * @param language the user's language
     * @param city the user's city
     * @param currency the currency of the user's payments
     */
    record Account(String name, String language, String city, String currency) implements Serializable {}

    /** The account of a user. */
    Account account(long user);

    /** The plan that the user has booked. */
    String plan(long user);

    /** How many friends of the user are here. */
    int friends(long user);
}
