package samples.events;

/** A lease is too long. */
public class LeaseDeniedException extends LeaseException {

    private static final long serialVersionUID = 1;

    /** The most that would have been granted. */
    public final transient long unsent;

    private final long[] offers;

    public LeaseDeniedException(String message, long... offers) {
        super(message);
        this.offers = offers;
        unsent = offers.length;
    }

    public long[] offers() {
        return offers.clone();
    }
}
