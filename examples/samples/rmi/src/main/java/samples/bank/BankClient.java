package samples.bank;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;

public class BankClient {

    public static void main(String[] args) throws Exception {
        Registry registry = LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0]));
        Bank bank = (Bank) registry.lookup("bank");
        Account ada = bank.open("ada");
        Account bob = bank.open("bob");
        for (int i = 1; i <= 10; i++) {
            ada.deposit(i * 100);
        }
        ada.transfer(bob, 2_000);
        System.out.println("ada " + ada.balance() + ", bob " + bob.balance());
        try {
            bob.withdraw(5_000);
        } catch (OverdrawnException e) {
            System.out.println(e.getMessage() + ": " + e.missing() + " cents");
        }
        try {
            bob.deposit(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getClass().getName() + ": " + e.getMessage());
        }
        Account own = new AccountImpl("own"); // an object of the client: the server calls it
        ada.transfer(own, 300);
        System.out.println("own " + own.balance() + ", ada " + ada.balance());
        AccountImpl.unexportObject(own, true);
        try {
            ada.transfer(own, 100);
        } catch (RemoteException e) {
            System.out.println("not transferred: " + rootOf(e).getClass().getName());
        }
        System.out.println("same stub " + bank.find("ada").equals(ada) + ", other " + ada.equals(bob) + ", same hash "
                + (bank.find("ada").hashCode() == ada.hashCode()) + ", has " + bank.has(bob));
        long sum = 0;
        for (Account each : bank.all()) {
            sum += each.balance();
        }
        System.out.println("sum " + sum);
    }

    private static Throwable rootOf(Throwable thrown) {
        Throwable at = thrown;
        while (at.getCause() != null && at instanceof RemoteException) {
            at = at.getCause();
        }
        return at;
    }
}
