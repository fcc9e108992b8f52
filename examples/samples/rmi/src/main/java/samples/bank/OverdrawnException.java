package samples.bank;

public class OverdrawnException extends Exception {

    private static final long serialVersionUID = 1;

    private final long missing;

    public OverdrawnException(String message, long missing) {
        super(message);
        this.missing = missing;
    }

    public long missing() {
        return missing;
    }
}
