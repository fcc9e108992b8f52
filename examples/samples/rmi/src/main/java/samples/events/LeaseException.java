package samples.events;

/** What all failures of leases are. */
public abstract class LeaseException extends Exception {

    private static final long serialVersionUID = 1;

    protected LeaseException(String message) {
        super(message);
    }
}
