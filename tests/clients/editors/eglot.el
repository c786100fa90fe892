;;; eglot.el --- Emacs and the daemon  -*- lexical-binding: t -*-

;;; Commentary:
;; From no diagnostic to a race, its hover, its witness, and back to none, as eglot shows them.  Run by ./run.

;;; Code:

(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)

(defconst bank-racing-line 19 "Of pay_bonus in bank.cpp.")
(defconst bank-patience 60 "Seconds, for what takes milliseconds on an idle machine.")

(defun bank-wait-for (what condition)
  "Wait until the function CONDITION gives non-nil, and return that; WHAT is for the error."
  (let ((deadline (+ (float-time) bank-patience)) result)
    (while (not (setq result (funcall condition)))
      (when (> (float-time) deadline) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.05))
    result))

(defun bank-expect (condition what)
  "Fail with WHAT unless CONDITION."
  (unless condition (error "Expected %s" what)))

(defun bank-record ()
  "Build and record the program."
  (with-temp-buffer
    (bank-expect (eq 0 (call-process (expand-file-name "record") nil t))
                 (concat "./record to end well, not: " (buffer-string)))))

(defun bank-race-here ()
  "The diagnostic of the racing line, if there is one."
  (save-excursion
    (goto-char (point-min))
    (forward-line (1- bank-racing-line))
    (car (flymake-diagnostics (line-beginning-position) (line-end-position)))))

(defun bank-ask (method params)
  "What the daemon answers to METHOD with PARAMS."
  (jsonrpc-request (eglot-current-server) method params :timeout bank-patience))

(defun bank-check-race (race)
  "Check what is shown of RACE, and leave point at its beginning."
  (bank-expect (eq (flymake-diagnostic-type race) 'eglot-error) "an error")
  (bank-expect (string-match-p "Data race on 'account\\.balance': this " (flymake-diagnostic-text race)) "a sentence")
  (bank-expect (string-match-p "\n1/[0-9]+ " (flymake-diagnostic-text race))
               "the steps in the message, as eglot declares no related information")
  (goto-char (flymake-diagnostic-beg race))
  (bank-expect (= (line-number-at-pos) bank-racing-line) "the range to begin in its line")
  (let ((marked (buffer-substring (point) (flymake-diagnostic-end race))))
    (bank-expect (string-match-p (regexp-quote marked) "to.balance += 25") (concat "the access, not: " marked))))

(defun bank-check-witness ()
  "Check hover and witness of the race at point."
  (let* ((hover (bank-ask :textDocument/hover (eglot--TextDocumentPositionParams)))
         (position (eglot--pos-to-lsp-position))
         (actions (bank-ask :textDocument/codeAction
                       `(:textDocument ,(eglot--TextDocumentIdentifier)
                         :range (:start ,position :end ,position)
                         :context (:diagnostics []))))
         (command (plist-get (aref actions 0) :command))
         (shown (bank-ask :workspace/executeCommand
                     `(:command ,(plist-get command :command) :arguments ,(plist-get command :arguments)))))
    (bank-expect (string-match-p "T3" (plist-get (plist-get hover :contents) :value)) "the schedule in the hover")
    (bank-expect (equal (plist-get command :command) "heddle.showWitness") "the action that shows the witness")
    (bank-expect (< 0 (length (plist-get (plist-get shown :witness) :steps))) "the steps of the witness")))

(defun bank-story ()
  "All of it."
  (find-file "bank.cpp")
  (c++-mode)
  (apply #'eglot (eglot--guess-contact))
  (bank-wait-for "eglot to manage the buffer" #'eglot-managed-p)
  (bank-expect (null (flymake-diagnostics)) "nothing to be shown before the first run")
  (bank-record)
  (bank-check-race (bank-wait-for "a diagnostic" #'bank-race-here))
  (bank-check-witness)
  (goto-char (point-min))
  (forward-line (1- bank-racing-line))
  (insert "    const std::lock_guard<std::mutex> lock(to.mu);\n")
  (save-buffer)
  (bank-record)
  (bank-wait-for "the diagnostics to go" (lambda () (null (flymake-diagnostics))))
  (eglot-shutdown (eglot-current-server)))

(setq eglot-server-programs `((c++-mode ,(getenv "HEDDLE") "lsp"))
      eglot-sync-connect t
      eglot-autoreconnect nil
      make-backup-files nil)
(bank-story)
;;; eglot.el ends here
