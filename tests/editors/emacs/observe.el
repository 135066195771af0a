;;; observe.el --- Queries of the tests  -*- lexical-binding: t; -*-

;;; Code:

(require 'json)
(require 'server)

(defvar observe-sizes nil "The past sizes of file buffers as (NAME . SIZE), newest first.")

(defun observe--record-size (&rest _)
  "Record the size of a file buffer."
  (when buffer-file-name
    (push (cons (buffer-name) (buffer-size)) observe-sizes)))

;; What moves within one edit is inserted before it is deleted, which no user sees.
(with-eval-after-load 'eglot
  (advice-add 'eglot--apply-text-edits :after #'observe--record-size))

(defun observe-answer (file function)
  "Write the result of FUNCTION, or its error, into FILE as JSON.
Call it in the buffer of the user's selected window."
  (let ((answer (condition-case oops
                    (with-current-buffer
                        (window-buffer (or (minibuffer-selected-window) (selected-window)))
                      `((value . ,(funcall function))))
                  (error `((error . ,(error-message-string oops)))))))
    (let ((coding-system-for-write 'utf-8-unix)
          (inhibit-message t))
      (write-region (json-encode answer) nil (concat file ".new") nil 'silent)
      (rename-file (concat file ".new") file))))

(defun observe-buffer (name)
  "Return the buffer that visits a file called NAME."
  (seq-find (lambda (buffer)
              (equal name (file-name-nondirectory (or (buffer-file-name buffer) ""))))
            (buffer-list)))

(defun observe-text (name)
  "Return the whole text of the buffer that visits NAME."
  (with-current-buffer (observe-buffer name)
    (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max)))))

(defun observe-progress (name)
  "Return the last progress of NAME's reduction, nil for none."
  (buffer-local-value 'pollard-progress (observe-buffer name)))

(defun observe-state (name)
  "Return the state of NAME's last reduction, nil for none."
  (plist-get (observe-progress name) :state))

(defun observe-mode-line (name)
  "Return the text at the end of NAME's mode line."
  (with-current-buffer (observe-buffer name)
    (substring-no-properties (format-mode-line mode-line-misc-info))))

(defun observe-prompt ()
  "Return the minibuffer's prompt, nil if it is inactive."
  (when (active-minibuffer-window)
    (with-current-buffer (window-buffer (active-minibuffer-window))
      (substring-no-properties (or (minibuffer-prompt) "")))))

(defun observe-minibuffer ()
  "Return the editable text in the minibuffer."
  (with-current-buffer (window-buffer (minibuffer-window))
    (minibuffer-contents)))

(defun observe-windows ()
  "Return the names and texts of the buffers in all windows."
  (mapcar (lambda (window)
            (with-current-buffer (window-buffer window)
              (cons (buffer-name) (buffer-substring-no-properties (point-min) (point-max)))))
          (window-list nil 'no-minibuffer)))

(defun observe-sizes (name)
  "Return the past sizes of buffer NAME, oldest first, without repetitions."
  (let (sizes)
    (pcase-dolist (`(,buffer . ,size) observe-sizes)
      (when (and (equal buffer name) (not (equal size (car sizes))))
        (push size sizes)))
    (vconcat sizes)))

(provide 'observe)
;;; observe.el ends here
