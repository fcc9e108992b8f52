package samples;

import samples.bank.BankClient;

/** Runs the clients of all programs, one after the other. */
public class Clients {

    public static void main(String[] args) throws Exception {
        BankClient.main(args);
    }
}
